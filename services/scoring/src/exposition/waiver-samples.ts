import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { labelsSql } from "../store/labels.ts";
import { quoted, whereTarget } from "../store/lines.ts";
import { inForceNow, isProblemWaived, isScoreWaived } from "../store/waivers.ts";

const names = { area: "area", team: "team", app: "app", env: "env" };

/** SQL of a sample for each waived metric of each application with a score. Without waivers no score is read. */
export function metricWaived({ scorecards }: Pick<Engine, "scorecards">, filter: TargetFilter): string {
  const registered = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => `(${quoted(name)}, ${quoted(metric.name)})`),
  );
  if (registered.length === 0) return "SELECT NULL WHERE false";
  return `
    WITH registered (scorecard, metric) AS (VALUES ${registered.join(", ")}),
    known AS (
      SELECT DISTINCT area, team, app, env
      FROM (SELECT * FROM scores_by_name ${whereTarget(filter)}) AS shown JOIN registered USING (scorecard, metric)
      WHERE area IN (SELECT area FROM waivers_by_name WHERE scorecard IS NOT NULL AND ${inForceNow})
    )
    SELECT ${labelsSql({ ...names, scorecard: "scorecard", metric: "metric" })} || ' 1'
    FROM (SELECT * FROM known CROSS JOIN registered) AS candidate WHERE ${isScoreWaived("candidate")}
  `;
}

/** SQL of a sample for each waived problem. Only problems of waived types are read. */
export function problemWaived(_: object, filter: TargetFilter): string {
  return `
    SELECT ${labelsSql({ ...names, problem_type: "problem_type" })} || ' 1'
    FROM (SELECT * FROM problems_by_name ${whereTarget(filter)}) AS shown
    WHERE problem_type IN (SELECT problem_type FROM waivers WHERE ${inForceNow}) AND ${isProblemWaived("shown")}
  `;
}

/** SQL of a sample for each waiver that covers a target of the filter. */
export function waiverExpiry(_: object, filter: TargetFilter): string {
  const terms = Object.entries(filter).map(
    ([column, values]: [string, readonly string[]]) =>
      `AND (${column} IS NULL OR ${column} IN (${values.map(quoted).join(", ")}))`,
  );
  return `
    SELECT '{id="' || id || '"} ' || round(extract(epoch FROM expires_at)::numeric, 3)
    FROM waivers_by_name WHERE is_shown AND expires_at IS NOT NULL AND ${inForceNow} ${terms.join(" ")}
  `;
}
