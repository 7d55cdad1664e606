import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { quoted, whereTarget } from "../store/lines.ts";
import { labelsSql } from "../store/made-columns.ts";
import { inForceNow } from "../store/waivers.ts";

/**
 * How far back changes are looked at. An alert on a fall within a day compares with scrapes and recordings of up to an hour
 * before that.
 */
const since = "interval '25 hours'";

/**
 * The labels of each application that changes of rules moved in the last 25 hours, and by how many points: what its scores
 * and the weights of now make of it, less what its scores without the changes that a replay wrote and the weights of then
 * made. The weights of then are those that a start recorded last before that time, or else first. Where no history is kept,
 * the last change of a score is known.
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
    weights AS MATERIALIZED (
      SELECT scorecard, metric, registered.card_weight AS card_now, registered.weight AS weight_now,
        earlier.card_weight AS card_then, earlier.weight AS weight_then
      FROM registered FULL JOIN (
        SELECT * FROM former WHERE (SELECT are FROM reweighed)
        UNION ALL SELECT * FROM registered WHERE NOT (SELECT are FROM reweighed)
      ) AS earlier USING (scorecard, metric)
    ),
    changed AS MATERIALIZED (
      SELECT score_id, sum(score - former)::float8 AS points
      FROM score_changes
      WHERE cause = 'rules' AND at > now() - ${since}
      GROUP BY score_id
      HAVING sum(score - former) <> 0
      UNION ALL
      SELECT id, (score - former_score)::float8
      FROM scores
      WHERE NOT EXISTS (SELECT FROM score_changes)
        AND changed_by = 'rules' AND changed_at > now() - ${since} AND score <> former_score
    ),
    shown AS NOT MATERIALIZED (SELECT * FROM scores ${whereTarget(filter)}),
    known AS MATERIALIZED (SELECT DISTINCT area, team, app, env FROM shown JOIN changed ON id = score_id),
    chosen AS (
      SELECT area, team, app, env, scorecard, metric, score, id
      FROM known JOIN shown USING (area, team, app, env) WHERE NOT (SELECT are FROM reweighed)
      UNION ALL
      SELECT area, team, app, env, scorecard, metric, score, id FROM shown WHERE (SELECT are FROM reweighed)
    ),
    cards AS (
      SELECT area, team, app, env, max(card_now) AS card_now, max(card_then) AS card_then,
        sum(weight_now * score::float8) / sum(weight_now) AS score_now,
        sum(weight_then * (score::float8 - coalesce(points, 0))) / sum(weight_then) AS score_then
      FROM chosen JOIN weights USING (scorecard, metric) LEFT JOIN changed ON id = score_id
      WHERE NOT EXISTS (
        SELECT FROM waivers
        WHERE waivers.scorecard = chosen.scorecard AND (waivers.metric IS NULL OR waivers.metric = chosen.metric)
          AND waivers.area = chosen.area AND (waivers.team IS NULL OR waivers.team = chosen.team)
          AND (waivers.app IS NULL OR waivers.app = chosen.app) AND (waivers.env IS NULL OR waivers.env = chosen.env)
          AND ${inForceNow}
      )
      GROUP BY area, team, app, env, scorecard
    ),
    moved AS (
      SELECT area, team, app, env,
        sum(card_now * score_now) / sum(card_now) FILTER (WHERE score_now IS NOT NULL)
          - sum(card_then * score_then) / sum(card_then) FILTER (WHERE score_then IS NOT NULL) AS points
      FROM cards
      GROUP BY area, team, app, env
    )
    SELECT ${labelsSql({ area: "area", team: "team", app: "app", env: "env" })} || ' ' || round(points::numeric, 6)
    FROM moved
    WHERE abs(points) >= 0.0000005
  `;
}
