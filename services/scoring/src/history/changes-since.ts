import type { Evidence } from "@maturity/core";
import { slice } from "../http/slices.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { App } from "../rollups/organisation.ts";
import { type Lines, whereTarget } from "../store/lines.ts";
import { inLines, readRow, separator } from "../store/text-rows.ts";
import { midnight } from "../store/utc.ts";

/** What became of a score since a day. */
interface LaterChange {
  /** Was it reported for the first time? */
  readonly isFirst: boolean;
  /** What the rules added to it, in hundredths. */
  readonly byRules: number;
  /** What merges of other applications added to it, in hundredths. */
  readonly byMoves: number;
}

/** The scores that are new since a day or that the rules have changed since, by id. */
export type LaterChanges = ReadonlyMap<number, LaterChange>;

/** With no more scores than these, the changes of each are looked up; otherwise those of all scores are read. */
const fewScores = 5_000;

/** Reads what became of the scores of these applications from the first moment of a day to the time of their reading. */
export async function readLaterChanges(
  lines: Lines,
  { day, asOf, apps }: { readonly day: string; readonly asOf: Date; readonly apps: readonly App[] },
): Promise<LaterChanges> {
  const ids = apps.length <= fewScores ? apps.flatMap(({ scoreIds }) => scoreIds.filter((id) => id !== undefined)) : [];
  const areFew = apps.length <= fewScores && ids.length <= fewScores;
  const since = `at > ${midnight(day)} AND at <= '${asOf.toISOString()}' ${areFew ? `AND score_id = ANY ('{${ids}}')` : ""}`;
  // Each half has an index of its own.
  const select = `
    SELECT score_id, (former IS NULL)::int, ((score - former) * 100)::int, 0 FROM score_changes
    WHERE ${since} AND (cause = 'rules' OR former IS NULL)
    UNION ALL
    SELECT score_id, 0, ((score - former) * 100)::int, 1 FROM score_changes WHERE ${since} AND cause = 'move'`;
  const found = new Map<number, LaterChange>();
  for await (const rows of inLines(lines(select))) {
    await slice();
    for (const row of rows) {
      const [id, isFirst, hundredths, isMove] = row.split(separator);
      const { isFirst: wasFirst = false, byRules = 0, byMoves = 0 } = found.get(Number(id)) ?? {};
      const added = Number(hundredths);
      found.set(Number(id), {
        isFirst: wasFirst || isFirst === "1",
        byRules: isMove === "1" ? byRules : byRules + added,
        byMoves: isMove === "1" ? byMoves + added : byMoves,
      });
    }
  }
  return found;
}

/** Which scores are read as they were. */
export interface PastScoresQuestion {
  /** They are read as they were at its first moment. */
  readonly day: string;
  readonly ids: readonly number[];
  /** Leaves these scores, and maybe others. */
  readonly filter: TargetFilter;
}

/**
 * Of so many scores, or of those that a filter leaves, the changes are looked up score by score. Of more scores most
 * changes are needed, so they are read in the order of time, whosever they are.
 */
const manyScores = 100_000;

/** Reads scores as they were at the first moment of a day, in hundredths, by id. Those that were not there are left out. */
export async function readScoresAt(
  lines: Lines,
  { day, ids, filter }: PastScoresQuestion,
  many: number = manyScores,
): Promise<ReadonlyMap<number, number>> {
  const { area, team, app } = filter;
  const areLookedUp = ids.length <= many || area !== undefined || team !== undefined || app !== undefined;
  if (!areLookedUp) await readRow(lines(`SELECT set_config('work_mem', '${workMemory}', true)`));
  const found = new Map<number, number>();
  for await (const rows of inLines(lines(areLookedUp ? lookedUp(day, ids) : inOrderOfTime(day, filter)))) {
    await slice();
    for (const row of rows) {
      const end = row.indexOf(separator);
      if (end + 1 < row.length) found.set(Number(row.slice(0, end)), Number(row.slice(end + 1)));
    }
  }
  return found;
}

/** The first change after the day holds the score of the day. */
function lookedUp(day: string, ids: readonly number[]): string {
  const since = midnight(day);
  return `
    SELECT id, (CASE
      WHEN changed_at <= ${since} THEN scores.score
      WHEN later.at IS NULL THEN former_score
      ELSE later.former
    END * 100)::int
    FROM scores JOIN unnest('{${ids}}'::bigint[]) AS wanted (id) USING (id)
    LEFT JOIN LATERAL (
      SELECT at, former FROM score_changes
      WHERE changed_at > ${since} AND score_id = id AND at > ${since}
      ORDER BY at
      LIMIT 1
    ) AS later ON true
  `;
}

/** What the database may use to group the changes of a whole organisation. With less it writes them to disk. */
const workMemory = "64MB";

/** So many fit into a number with a score beside them: 17 years. What is older counts as that old. */
const mostMicroseconds = 2 ** 49;

/**
 * The first change after the day is found without sorting: its time in microseconds and its score in hundredths are one
 * number, of which the least is taken. 16,383 stands for no score.
 */
function inOrderOfTime(day: string, filter: TargetFilter): string {
  const since = midnight(day);
  return `
    WITH past AS (
      SELECT score_id,
        min(
          greatest(date_part('epoch', at - now()) * 1000000, -${mostMicroseconds})::bigint * 16384
            + coalesce((former * 100)::int, 16383)
        ) & 16383 AS score_then
      FROM score_changes
      WHERE at > ${since}
      GROUP BY score_id
    )
    SELECT id, CASE
      WHEN changed_at <= ${since} THEN (score * 100)::int
      WHEN score_id IS NULL THEN (former_score * 100)::int
      WHEN score_then < 16383 THEN score_then
    END
    FROM scores LEFT JOIN past ON score_id = id ${whereTarget(filter)}
  `;
}

/** Its age makes no difference to a score. */
export function evidence(score: number): Evidence {
  return { score, reported_at: 0 };
}
