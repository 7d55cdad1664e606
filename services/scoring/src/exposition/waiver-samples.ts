import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { quoted, whereTarget } from "../store/lines.ts";
import { labelsSql } from "../store/made-columns.ts";
import { inForceAt } from "../store/waivers.ts";

/** What is in force when the statement runs, and so in its snapshot: a waiver is made before it is visible. */
const inForce = (which: string) => `
  WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
  waiver AS MATERIALIZED (
    SELECT id, area, team, app, env, scorecard, metric, problem_type, expires_at
    FROM waivers, moment
    WHERE ${inForceAt("now")} AND ${which}
  )
`;

/** Does a waiver cover the application of a row? */
const covers = (row: string) => `
  waiver.area = ${row}.area AND (waiver.team IS NULL OR waiver.team = ${row}.team)
  AND (waiver.app IS NULL OR waiver.app = ${row}.app) AND (waiver.env IS NULL OR waiver.env = ${row}.env)
`;

/**
 * The labels and the 1 of each waived metric of each application that has a score. Where nothing is waived, no score is
 * looked at.
 */
export function metricWaived({ scorecards }: Engine, filter: TargetFilter): string {
  const registered = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => `(${quoted(name)}, ${quoted(metric.name)})`),
  );
  if (registered.length === 0) return "SELECT NULL WHERE false";
  return `
    ${inForce("scorecard IS NOT NULL")},
    registered (scorecard, metric) AS (VALUES ${registered.join(", ")}),
    known AS (
      SELECT DISTINCT area, team, app, env
      FROM (SELECT * FROM scores ${whereTarget(filter)}) AS shown JOIN registered USING (scorecard, metric)
      WHERE area IN (SELECT area FROM waiver)
    )
    SELECT ${labelsSql({ area: "area", team: "team", app: "app", env: "env", scorecard: "scorecard", metric: "metric" })} || ' 1'
    FROM known CROSS JOIN registered
    WHERE EXISTS (
      SELECT FROM waiver
      WHERE ${covers("known")} AND waiver.scorecard = registered.scorecard
        AND (waiver.metric IS NULL OR waiver.metric = registered.metric)
    )
  `;
}

/** The labels and the 1 of each waived problem. */
export function problemWaived(filter: TargetFilter): string {
  return `
    ${inForce("problem_type IS NOT NULL")}
    SELECT ${labelsSql({ area: "area", team: "team", app: "app", env: "env", problem_type: "problem_type" })} || ' 1'
    FROM (SELECT * FROM problems ${whereTarget(filter)}) AS shown
    WHERE EXISTS (SELECT FROM waiver WHERE ${covers("shown")} AND waiver.problem_type = shown.problem_type)
  `;
}

/** The id and the end of each waiver that waives something of what the filter leaves. */
export function waiverExpiry(filter: TargetFilter): string {
  const terms = Object.entries(filter).map(
    ([column, values]: [string, readonly string[]]) =>
      `(${column} IS NULL OR ${column} IN (${values.map(quoted).join(", ")}))`,
  );
  return `
    ${inForce("expires_at IS NOT NULL")}
    SELECT '{id="' || id || '"} ' || round(extract(epoch FROM expires_at)::numeric, 3)
    FROM waiver
    WHERE ${["true", ...terms].join(" AND ")}
  `;
}
