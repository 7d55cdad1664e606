import { type Engine, freshness, type ScoredRaw } from "@maturity/core";
import { eachGain, isExempt, metricIds } from "@maturity/core/wire";
import { excludedOf } from "../rollups/exemptions.ts";
import { type App, readOrganisation, type UnscoredApp } from "../rollups/organisation.ts";
import type { RollUpRules } from "../rollups/rules.ts";
import type { ScoreWaiver } from "../rollups/waivers.ts";
import type { Database } from "../store/database.ts";
import { type Lines, quoted, readSnapshot } from "../store/lines.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { readRows } from "../store/text-rows.ts";
import { millisOf } from "../store/utc.ts";
import { showGain } from "./gain.ts";
import type { MetricDetail } from "./metric-detail.ts";
import { explain } from "./reasons.ts";
import type { Reread } from "./roll-up-list.ts";

/** Most bytes of results in a page. Applications are never split, so a single one may have more. */
const maxRawBytes = 4 * 1_048_576;

/** An application with its metrics. */
export type Detailed = (App | UnscoredApp) & { readonly metrics?: readonly MetricDetail[] };

/**
 * Reads applications and all their metrics again, from the primary and in one snapshot, so that scores, levels and
 * metrics agree. It stops early where results are large.
 *
 * @throws ServiceError `store-unavailable`
 */
export function readDetails(
  { database, engine, rules }: DetailSources,
  items: readonly (App | UnscoredApp)[],
): Promise<Reread<Detailed>> {
  return readSnapshot(database, database.lists, async (lines) => {
    const { asOf, apps, unscored, held } = await readOrganisation(lines, rules, areNamed(items));
    const now = new Map([...apps, ...unscored, ...held].map((app) => [app.id, app]));
    const found = items.map(({ id }) => now.get(id));
    const stored = await readStored(
      lines,
      engine,
      found.map((app) => app?.target ?? 0),
    );
    const detailed: Detailed[] = [];
    for (const [index, app] of found.slice(0, stored.read).entries()) {
      if (!app) continue;
      if ("isHeld" in app) detailed.push(app);
      else detailed.push({ ...app, metrics: await metricsOf(engine, app, asOf, stored.rows[index]) });
    }
    return { asOf, items: detailed, read: stored.read };
  });
}

/** The dependencies of `readDetails`. */
export interface DetailSources {
  readonly database: Database;
  readonly engine: Engine;
  readonly rules: RollUpRules;
}

function areNamed(items: readonly Pick<App, "area" | "team" | "app">[]): string {
  const names = items.map(({ area, team, app }) => `(${[area, team, app].map(quoted).join(", ")})`);
  return names.length > 0 ? `(area, team, app) IN (${names.join(", ")})` : "false";
}

/** @param rows in the order of the scorecards and their metrics */
async function metricsOf(
  engine: Engine,
  { metricScores, waivers, exemptions }: Pick<App, "metricScores" | "waivers" | "exemptions">,
  asOf: Date,
  rows: readonly StoredRow[] = [],
): Promise<MetricDetail[]> {
  const excluded = excludedOf(engine.scorecards, exemptions, waivers.toSorted(longestFirst));
  const details: MetricDetail[] = [];
  for (const { name: scorecard, metrics } of engine.scorecards) {
    for (const metric of metrics) {
      await yieldToEventLoop();
      const [index, { name, weight }] = [details.length, metric];
      const [one, row, by] = [metricScores.at(index), rows[index], excluded[index]];
      const reported = one && row && { score: one.score, ...row, measured_at: new Date(one.reported_at) };
      details.push({
        ...{ scorecard, metric: name, weight, state: "missing" },
        ...reported,
        ...(reported && explain(engine, { scorecard, metric: name, ...reported })),
        ...(reported && { state: freshness(metric, reported.measured_at, asOf) }),
        ...(by && (isExempt(by) ? { state: by.exempt, exempt_because: by.reason } : waivedBy(by))),
      });
    }
  }
  const scored = details.map(({ score, measured_at, raw }): ScoredRaw | undefined =>
    score === undefined || measured_at === undefined ? undefined : { score, reported_at: measured_at, raw: { ...raw } },
  );
  for (const gain of eachGain(engine, scored, asOf, excluded)) {
    const index = details.findIndex((one) => one.scorecard === gain.scorecard && one.metric === gain.metric);
    details[index] = { ...(details[index] as MetricDetail), ...showGain(gain) };
    await yieldToEventLoop();
  }
  return details;
}

function waivedBy({ id, kind, reason, owner, expires_at }: ScoreWaiver): Pick<MetricDetail, "state" | "waiver"> {
  return { state: "waived", waiver: { id, kind, reason, owner, expires_at } };
}

function longestFirst(a: ScoreWaiver, b: ScoreWaiver): number {
  const endOf = ({ expires_at }: ScoreWaiver) => expires_at?.getTime() ?? Number.MAX_VALUE;
  return endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1);
}

type StoredRow = Required<Pick<MetricDetail, "raw" | "reported_at" | "scorer" | "pipeline_id" | "project_repo">>;

/** Reads the stored results of targets. `read` is the number of targets that were read. */
async function readStored(
  lines: Lines,
  engine: Engine,
  targets: readonly number[],
): Promise<{ readonly rows: StoredRow[][]; readonly read: number }> {
  const metrics = metricIds(engine.scorecards);
  const rows: StoredRow[][] = targets.map(() => []);
  let read = targets.length;
  if (read === 0) return { rows, read };
  // Few rows at a time, since each may have a large result.
  for await (const found of readRows(lines(storedOf(targets), 10))) {
    for (const [index, metric = "", reported_at, scorer = "", pipeline_id, project_repo, raw] of found) {
      const metricRows = rows[Number(index)];
      // The SQL leaves the results out from the target on with which they would become too large.
      if (!raw) read = Math.min(read, Number(index));
      else if (metricRows && metrics.includes(metric)) {
        metricRows[metrics.indexOf(metric)] = {
          ...{ reported_at: new Date(Number(reported_at)), scorer, raw: JSON.parse(raw) },
          ...{ pipeline_id: pipeline_id || null, project_repo: project_repo || null },
        };
      }
    }
  }
  return { rows, read };
}

/**
 * SQL of the stored results of targets. The sum of their bytes ends where it is too large, so that no further
 * result is fetched or rendered. JSON escapes control characters, so a result has no tab and no line feed.
 */
const storedOf = (targets: readonly number[]) => `
  WITH found AS MATERIALIZED (
    SELECT array_position('{${targets}}'::int[], target_id) - 1 AS index, scores.*
    FROM scores WHERE target_id = ANY ('{${targets}}'::int[])
  ),
  cut_off AS MATERIALIZED (
    SELECT index AS first FROM (
      SELECT index, sum(octet_length(raw::text)) OVER (ORDER BY index ROWS UNBOUNDED PRECEDING) AS bytes FROM found
    ) AS sized
    WHERE index > 0 AND bytes > ${maxRawBytes} ORDER BY index LIMIT 1
  )
  SELECT index, scorecard || '.' || metric, ${millisOf("reported_at")}, scorer, nullif(pipeline_id, ''), nullif(project_repo, ''),
    CASE WHEN index < coalesce(first, index + 1) THEN raw::text END
  FROM found JOIN metrics ON metrics.id = metric_id LEFT JOIN cut_off ON true
  WHERE index <= coalesce(first, index)`;
