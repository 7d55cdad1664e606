import type { Engine, Target } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import type { Lines } from "../store/lines.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { microsOf } from "../store/utc.ts";

/** The change of a score since a time. */
export interface LaterChange {
  /** The score at that time; undefined if there was none. Known only if all changes were read. */
  readonly former: number | undefined;
  /** The sum of its changes by rules, and by merges of other applications. */
  readonly rules: number;
  readonly move: number;
  /** The package, with its version, whose rules changed it last; undefined without a change by rules. */
  readonly scorer: string | undefined;
}

/** The changes of scores by target, in the order of the metrics; undefined for a score without a change. */
export type LaterChanges = ReadonlyMap<number, readonly (LaterChange | undefined)[]>;

/** The changes to read. */
export interface LaterQuestion {
  readonly since: Date;
  readonly asOf: Date;
  readonly targets: readonly number[];
  /** Whether changes by results are read too; the index has only the others, which are few. */
  readonly isWhole: boolean;
}

/**
 * Reads the changes of the scores of these targets since a time, up to the one at which they were read.
 *
 * The first change is found without sorting, as the least of numbers that combine its time in
 * microseconds and its former score in hundredths. 16,383 stands for no score; 17 years fit. With less memory the
 * database would write the changes of a whole organisation to disk.
 */
export async function readLaterChanges(
  lines: Lines,
  engine: Engine,
  { since, asOf, targets, isWhole }: LaterQuestion,
): Promise<LaterChanges> {
  const found = new Map<number, (LaterChange | undefined)[]>();
  if (targets.length === 0) return found;
  const names = metricIds(engine.scorecards);
  for await (const _ of lines("SELECT set_config('work_mem', '64MB', true)"));
  const hundredths = (cause: string) =>
    `coalesce(sum((score - former) * 100) FILTER (WHERE cause = '${cause}'), 0)::int`;
  const after = `'${since.toISOString()}'::timestamptz`;
  const microseconds = microsOf("at"); // 16 digits until the year 2286
  const select = `
    SELECT target_id, scorecard || '.' || metric, former & 16383, rules, move, scorer FROM (
      SELECT target_id, metric_id, ${hundredths("rules")} AS rules, ${hundredths("move")} AS move,
        substr(max(lpad(${microseconds}::text, 17, '0') || scorer) FILTER (WHERE cause = 'rules'), 18) AS scorer,
        min(${microsOf(`at - ${after}`)} * 16384 + coalesce((former * 100)::int, 16383)) AS former
      FROM score_changes
      WHERE at > ${after} AND at <= '${asOf.toISOString()}' AND target_id = ANY ('{${targets}}'::int[])
        ${isWhole ? "" : "AND cause IN ('rules', 'move')"}
      GROUP BY target_id, metric_id
    ) AS changes JOIN metrics ON metrics.id = metric_id`;
  for await (const rows of readRows(lines(select))) {
    await yieldToEventLoop();
    for (const [target, metric = "", ...further] of rows) {
      const [former = 0, rules = 0, move = 0] = further.slice(0, 3).map(Number);
      const scorer = further[3] || undefined;
      const changes = found.get(Number(target)) ?? [];
      found.set(Number(target), changes);
      const index = names.indexOf(metric);
      if (index === -1) continue;
      changes[index] = {
        former: former === 16_383 ? undefined : former / 100,
        rules: rules / 100,
        move: move / 100,
        scorer,
      };
    }
  }
  return found;
}

/**
 * Reads which applications may have scores of another one since a time (SQL), because something was moved to their
 * name.
 */
export async function readMoveTargets(lines: Lines, since: string): Promise<(app: Target) => boolean> {
  const names = new Set<string>();
  const select = `SELECT to_area, nullif(to_team, ''), nullif(to_app, '') FROM former_names WHERE moved_at > ${since}`;
  for await (const rows of readRows(lines(select))) for (const row of rows) names.add(row.join(separator));
  const has = (...parts: string[]) => names.has(parts.join(separator));
  return ({ area, team, app }) => has(area, team, app) || has(area, team, "") || has(area, "", "");
}
