import { slice } from "../http/slices.ts";
import type { App } from "../rollups/organisation.ts";
import type { Lines } from "../store/lines.ts";
import { scoreIdSql, wantedScores } from "../store/score-ids.ts";
import { inLines, readRow, separator } from "../store/text-rows.ts";
import { midnight } from "../store/utc.ts";

/** What became of a score since a day. */
export interface LaterChange {
  /** The score at the first moment of the day; undefined if it had not been reported then. */
  readonly former: number | undefined;
  /** What the rules added to it. */
  readonly byRules: number;
  /** What merges of other applications added to it. */
  readonly byMoves: number;
}

/** The scores that are new since a day or have changed since, by id. */
export type LaterChanges = ReadonlyMap<number, LaterChange>;

/**
 * With no more scores than these, the changes of each are looked up; otherwise those of all scores are read. An index finds
 * the few that are not by reports.
 */
const fewScores = { whole: 100_000, other: 5_000 };

/** What the database may use to group the changes of a whole organisation. With less it writes them to disk. */
const workMemory = "64MB";

/** Which changes are read. */
export interface LaterQuestion {
  readonly day: string;
  readonly asOf: Date;
  readonly apps: readonly App[];
  /** Those by reports too; otherwise only what is new, and what rules and merges changed. */
  readonly isWhole: boolean;
}

/**
 * Reads what became of the scores of these applications, and maybe of others, from the first moment of a day to the time of
 * their reading.
 *
 * The first change after the day is found without sorting: its time in microseconds and its former score in hundredths are
 * one number, of which the least is taken. 16,383 stands for no score; 17 years fit.
 */
export async function readLaterChanges(
  lines: Lines,
  { day, asOf, apps, isWhole }: LaterQuestion,
): Promise<LaterChanges> {
  const most = isWhole ? fewScores.whole : fewScores.other;
  const ids = apps.length <= most ? apps.flatMap(({ scoreIds }) => scoreIds.filter((id) => id !== undefined)) : [];
  const areFew = apps.length <= most && ids.length <= most;
  if (!areFew) await readRow(lines(`SELECT set_config('work_mem', '${workMemory}', true)`));
  const since = `at > ${midnight(day)} AND at <= '${asOf.toISOString()}' ${areFew ? `AND (target_id, metric_id) IN (SELECT * FROM ${wantedScores(ids)})` : ""}`;
  const part = (which: string) => `SELECT * FROM score_changes WHERE ${since} AND ${which}`;
  // Each half has an index of its own.
  const changes = isWhole
    ? part("true")
    : `${part("(cause = 'rules' OR former IS NULL)")} UNION ALL ${part("cause = 'move' AND former IS NOT NULL")}`;
  const hundredths = (cause: string) =>
    `coalesce(sum((score - former) * 100) FILTER (WHERE cause = '${cause}'), 0)::int`;
  const select = `
    SELECT ${scoreIdSql},
      min((date_part('epoch', at - ${midnight(day)}) * 1000000)::bigint * 16384 + coalesce((former * 100)::int, 16383)) & 16383,
      ${hundredths("rules")}, ${hundredths("move")}
    FROM (${changes}) AS changes
    GROUP BY target_id, metric_id`;
  const found = new Map<number, LaterChange>();
  for await (const rows of inLines(lines(select))) {
    await slice();
    for (const row of rows) {
      const [id, former, byRules, byMoves] = row.split(separator).map(Number) as [number, number, number, number];
      const wasThere = former !== 16_383;
      found.set(id, { former: wasThere ? former / 100 : undefined, byRules: byRules / 100, byMoves: byMoves / 100 });
    }
  }
  return found;
}
