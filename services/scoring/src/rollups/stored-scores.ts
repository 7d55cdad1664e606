import type { Target } from "@maturity/core";
import { appKey } from "../model/app-name.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { type Lines, quoted, readSnapshot, readTime, whereTarget } from "../store/lines.ts";
import type { ScoreKey } from "../store/new-score.ts";
import type { MetricName } from "../store/targets.ts";
import { readRows } from "../store/text-rows.ts";
import { millisOf } from "../store/utc.ts";
import type { AppContext } from "./compared-apps.ts";
import { readProblems } from "./organisation.ts";
import { readRegistry } from "./registered-apps.ts";
import { readWaivers } from "./waivers.ts";

/** A stored score. */
export interface StoredScore extends ScoreKey {
  readonly score: number;
  readonly scorer: string;
  /** In milliseconds since 1970. */
  readonly reportedAt: number;
  /** The JSON of its result, if `rawOf` has its metric. */
  readonly raw: string;
}

/** The scores to read. */
export interface StoredScores {
  readonly filter?: TargetFilter;
  /** The metrics whose results are read too. */
  readonly rawOf?: readonly MetricName[];
}

/** Few rows, because the JSON of a result can have a mebibyte. */
const pageRows = 100;

/** Takes each score, and ends with what the roll-up of applications needs beside the scores, from the same snapshot. */
interface Reader<Result> {
  take(score: StoredScore): void;
  end(context: AppContext): Result;
}

/**
 * Reads the scores of one snapshot one by one, in stored order, and holds no row in memory after `take`. It only reads, so
 * the database may be a replica; where that cancels the read, it begins again with another reader.
 *
 * @throws ServiceError `store-unavailable`
 */
export function readStoredScores<Result>(
  database: Database,
  { filter = {}, rawOf = [] }: StoredScores,
  createReader: () => Reader<Result>,
): Promise<Result> {
  const metrics = rawOf.map(({ scorecard, metric }) => `(${quoted(scorecard)}, ${quoted(metric)})`);
  const raw =
    metrics.length > 0 ? `CASE WHEN (scorecard, metric) IN (${metrics.join(", ")}) THEN raw::text END` : "NULL";
  // JSON writes control characters as escapes, so a result has no tab and no line feed.
  const select = `SELECT area, team, app, env, scorecard, metric, score, scorer,
    ${millisOf("measured_at")}, ${raw} FROM scores_by_name ${whereTarget(filter)}`;
  const read = async (lines: Lines) => {
    const [reader, asOf] = [createReader(), await readTime(lines)];
    for await (const rows of readRows(lines(select, pageRows))) {
      for (const row of rows) reader.take(scoreOf(row));
    }
    const problems = new Map([...(await readProblems(lines))].map(([id, { open }]) => [id, open]));
    const registry = await readRegistry(lines, "true");
    const registrationOf = (target: Target) => registry.get(appKey(target));
    return reader.end({ asOf, problems, registrationOf, waiversOf: await readWaivers(lines, asOf) });
  };
  return readSnapshot(database, database.reads, read, "none");
}

function scoreOf(cells: readonly string[]): StoredScore {
  const [area = "", team = "", app = "", env = "", scorecard = "", metric = "", ...rest] = cells;
  const [score, scorer = "", reportedAt, raw = ""] = rest;
  return { area, team, app, env, scorecard, metric, score: Number(score), scorer, reportedAt: Number(reportedAt), raw };
}
