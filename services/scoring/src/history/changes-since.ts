import type { Engine, Target } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import { slice } from "../http/slices.ts";
import type { Lines } from "../store/lines.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { midnight } from "../store/utc.ts";

/** What became of a score since a day. */
export interface LaterChange {
  /** The score at the first moment of the day; undefined if it had not been reported then. Known if all changes were read. */
  readonly former: number | undefined;
  /** What the rules added to it, and what merges of other applications did. */
  readonly rules: number;
  readonly move: number;
}

/** The scores of each target that are new since a day or have changed since, in the order of the metrics. */
export type LaterChanges = ReadonlyMap<number, readonly (LaterChange | undefined)[]>;

/** Which changes are read. */
export interface LaterQuestion {
  readonly day: string;
  readonly asOf: Date;
  readonly targets: readonly number[];
  /** Those by reports too; of the others, which are few, an index knows. */
  readonly isWhole: boolean;
}

/**
 * Reads what became of the scores of these targets from the first moment of a day to the time of their reading.
 *
 * The first change after the day is found without sorting: its time in microseconds and its former score in hundredths are
 * one number, of which the least is taken. 16,383 stands for no score; 17 years fit. With less memory the database writes
 * the changes of a whole organisation to disk.
 */
export async function readLaterChanges(
  lines: Lines,
  engine: Engine,
  { day, asOf, targets, isWhole }: LaterQuestion,
): Promise<LaterChanges> {
  const found = new Map<number, (LaterChange | undefined)[]>();
  if (targets.length === 0) return found;
  const names = metricIds(engine.scorecards);
  for await (const _ of lines("SELECT set_config('work_mem', '64MB', true)"));
  const hundredths = (cause: string) =>
    `coalesce(sum((score - former) * 100) FILTER (WHERE cause = '${cause}'), 0)::int`;
  const select = `
    SELECT target_id, scorecard || '.' || metric, former & 16383, rules, move FROM (
      SELECT target_id, metric_id, ${hundredths("rules")} AS rules, ${hundredths("move")} AS move,
        min((date_part('epoch', at - ${midnight(day)}) * 1000000)::bigint * 16384 + coalesce((former * 100)::int, 16383)) AS former
      FROM score_changes
      WHERE at > ${midnight(day)} AND at <= '${asOf.toISOString()}' AND target_id = ANY ('{${targets}}'::int[])
        ${isWhole ? "" : "AND cause <> 'report'"}
      GROUP BY target_id, metric_id
    ) AS changes JOIN metrics ON metrics.id = metric_id`;
  for await (const rows of readRows(lines(select))) {
    await slice();
    for (const [target, metric = "", ...numbers] of rows) {
      const [former = 0, rules = 0, move = 0] = numbers.map(Number);
      const own = found.get(Number(target)) ?? [];
      found.set(Number(target), own);
      const index = names.indexOf(metric);
      if (index === -1) continue;
      own[index] = { former: former === 16_383 ? undefined : former / 100, rules: rules / 100, move: move / 100 };
    }
  }
  return found;
}

/** May an application have values of another one since a time, which is SQL, because something was moved to its name? */
export async function readMoved(lines: Lines, since: string): Promise<(app: Target) => boolean> {
  const names = new Set<string>();
  const select = `SELECT to_area, nullif(to_team, ''), nullif(to_app, '') FROM former_names WHERE moved_at > ${since}`;
  for await (const rows of readRows(lines(select))) for (const row of rows) names.add(row.join(separator));
  const has = (...parts: string[]) => names.has(parts.join(separator));
  return ({ area, team, app }) => has(area, team, app) || has(area, team, "") || has(area, "", "");
}
