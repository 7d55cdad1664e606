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
 * The labels of each application that changes of rules moved in the last 25 hours, and by how many points: what its scores
 * and the weights of now make of it, less what its scores without the changes that a replay wrote and the weights of then
 * made. The weights of then are those that a start recorded last before that time, or else first.
 */
export function changeByRules({ scorecards }: Engine, filter: TargetFilter): string {
  const registered = scorecards.flatMap(({ name, weight, metrics }) =>
    metrics.map((metric) => `(${quoted(name)}, ${weight}::float8, ${quoted(metric.name)}, ${metric.weight}::float8)`),
  );
  if (registered.length === 0) return "SELECT NULL WHERE false";
  return `
    WITH registered (scorecard, card_weight, metric, weight) AS (VALUES ${registered.join(", ")}),
    recorded AS (
      SELECT policy FROM policies
      ORDER BY loaded_at > now() - ${since}, CASE WHEN loaded_at > now() - ${since} THEN id ELSE -id END
      LIMIT 1
    ),
    former AS MATERIALIZED (
      SELECT card->>'name' AS scorecard, (card->>'weight')::float8 AS card_weight, one->>'name' AS metric,
        (one->>'weight')::float8 AS weight
      FROM recorded, jsonb_array_elements(policy->'scorecards') AS card, jsonb_array_elements(card->'metrics') AS one
    ),
    reweighed AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM former) AND EXISTS (
        (TABLE former EXCEPT TABLE registered) UNION ALL (TABLE registered EXCEPT TABLE former)
      ) AS are
    ),
    sides AS MATERIALIZED (
      SELECT true AS is_now, * FROM registered
      UNION ALL SELECT false, * FROM former WHERE (SELECT are FROM reweighed)
      UNION ALL SELECT false, * FROM registered WHERE NOT (SELECT are FROM reweighed)
    ),
    changed AS MATERIALIZED (
      SELECT score_id, sum(score - former)::float8 AS points
      FROM score_changes
      WHERE cause = 'rules' AND at > now() - ${since}
      GROUP BY score_id
      HAVING sum(score - former) <> 0
    ),
    shown AS (SELECT * FROM scores ${whereTarget(filter)}),
    known AS MATERIALIZED (
      SELECT area, team, app, env FROM shown JOIN changed ON id = score_id
      UNION SELECT area, team, app, env FROM shown WHERE (SELECT are FROM reweighed)
    ),
    cards AS (
      SELECT area, team, app, env, is_now, card_weight,
        sum(weight * (score::float8 - CASE WHEN is_now THEN 0 ELSE coalesce(points, 0) END)) / sum(weight) AS score
      FROM known JOIN shown USING (area, team, app, env) JOIN sides USING (scorecard, metric)
        LEFT JOIN changed ON id = score_id
      WHERE NOT EXISTS (
        SELECT FROM waivers
        WHERE waivers.scorecard = shown.scorecard AND (waivers.metric IS NULL OR waivers.metric = shown.metric)
          AND waivers.area = shown.area AND (waivers.team IS NULL OR waivers.team = shown.team)
          AND (waivers.app IS NULL OR waivers.app = shown.app) AND (waivers.env IS NULL OR waivers.env = shown.env)
          AND ${inForceAt("now()")}
      )
      GROUP BY area, team, app, env, is_now, scorecard, card_weight
    ),
    apps_of_sides AS (
      SELECT area, team, app, env, sum(card_weight * score) FILTER (WHERE is_now) / sum(card_weight) FILTER (WHERE is_now)
        - sum(card_weight * score) FILTER (WHERE NOT is_now) / sum(card_weight) FILTER (WHERE NOT is_now) AS points
      FROM cards
      GROUP BY area, team, app, env
    )
    SELECT ${labelsSql({ area: "area", team: "team", app: "app", env: "env" })} || ' ' || round(points::numeric, 6)
    FROM apps_of_sides
    WHERE abs(points) >= 0.0000005
  `;
}
