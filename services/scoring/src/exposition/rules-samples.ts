import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { quoted, whereTarget } from "../store/lines.ts";
import { labelsSql } from "../store/made-columns.ts";
import { inForceAt } from "../store/waivers.ts";

/**
 * How far back changes are looked at. An alert on a fall within a day compares with scrapes and recordings of up to an hour
 * before that.
 */
const since = "interval '25 hours'";

/**
 * The labels of each application that changes of rules moved in the last 25 hours, and by how many points. A roll-up is a
 * weighted mean, so what the change of one score adds to it depends on no other score.
 */
export function changeByRules({ scorecards }: Engine, filter: TargetFilter): string {
  const registered = scorecards.flatMap(({ name, weight, metrics }) =>
    metrics.map((metric) => `(${quoted(name)}, ${weight}::float8, ${quoted(metric.name)}, ${metric.weight}::float8)`),
  );
  if (registered.length === 0) return "SELECT NULL WHERE false";
  return `
    WITH registered (scorecard, card_weight, metric, weight) AS (VALUES ${registered.join(", ")}),
    changed AS MATERIALIZED (
      SELECT score_id, sum(score - former)::float8 AS points
      FROM score_changes
      WHERE cause = 'rules' AND at > now() - ${since}
      GROUP BY score_id
      HAVING sum(score - former) <> 0
    ),
    shown AS (SELECT * FROM scores ${whereTarget(filter)}),
    known AS MATERIALIZED (SELECT DISTINCT area, team, app, env FROM shown JOIN changed ON id = score_id),
    cards AS (
      SELECT area, team, app, env, card_weight, sum(weight * coalesce(points, 0)) / sum(weight) AS points
      FROM known JOIN shown USING (area, team, app, env) JOIN registered USING (scorecard, metric)
        LEFT JOIN changed ON id = score_id
      WHERE NOT EXISTS (
        SELECT FROM waivers
        WHERE waivers.scorecard = shown.scorecard AND (waivers.metric IS NULL OR waivers.metric = shown.metric)
          AND waivers.area = shown.area AND (waivers.team IS NULL OR waivers.team = shown.team)
          AND (waivers.app IS NULL OR waivers.app = shown.app) AND (waivers.env IS NULL OR waivers.env = shown.env)
          AND ${inForceAt("now()")}
      )
      GROUP BY area, team, app, env, scorecard, card_weight
    )
    SELECT ${labelsSql({ area: "area", team: "team", app: "app", env: "env" })} || ' ' ||
      round((sum(card_weight * points) / sum(card_weight))::numeric, 6)
    FROM cards
    GROUP BY area, team, app, env
  `;
}
