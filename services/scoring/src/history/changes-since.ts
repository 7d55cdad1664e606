import type { Engine, Evidence } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { App } from "../rollups/organisation.ts";
import { type Lines, whereTarget } from "../store/lines.ts";
import { copyOf, indexAfter, inLines, readRow, separator } from "../store/text-rows.ts";

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
  const slice = createSlices();
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

/** SQL of the first moment of a day. */
export function midnight(day: string): string {
  return `timestamptz '${day} 00:00:00Z'`;
}

/** What the database may use to group the changes of a whole organisation. With less it writes them to disk. */
const workMemory = "64MB";

/** So many fit into a number with a score beside them: 17 years. What is older counts as that old. */
const mostMicroseconds = 2 ** 49;

/**
 * The first change after the day holds the score of the day. It is found without sorting: its time in microseconds and
 * its score in hundredths are one number, of which the least is taken. 16,383 stands for no score.
 *
 * Of the scores of some areas, teams or applications, the changes are looked up by score. Of all others most rows are
 * needed, so they are read in the order of time, whosever they are.
 */
function scoresAt(day: string, filter: TargetFilter): string {
  const isNarrow = filter.area !== undefined || filter.team !== undefined || filter.app !== undefined;
  return `
    WITH wanted AS ${isNarrow ? "MATERIALIZED" : "NOT MATERIALIZED"} (SELECT * FROM scores ${whereTarget(filter)}),
    past AS (
      SELECT score_id,
        min(
          greatest(date_part('epoch', at - now()) * 1000000, -${mostMicroseconds})::bigint * 16384
            + coalesce((former * 100)::int, 16383)
        ) & 16383 AS score_then
      FROM score_changes ${isNarrow ? `JOIN wanted ON id = score_id AND changed_at > ${midnight(day)}` : ""}
      WHERE at > ${midnight(day)}
      GROUP BY score_id
    )
    SELECT area, team, app, env, scorecard, metric,
      CASE
        WHEN changed_at <= ${midnight(day)} THEN (score * 100)::int
        WHEN score_id IS NULL THEN (former_score * 100)::int
        WHEN score_then < 16383 THEN score_then
      END
    FROM wanted LEFT JOIN past ON score_id = id
  `;
}

/**
 * Reads the scores of each application at the first moment of a day, in the order of the scorecards and their metrics.
 * The changes of a whole organisation since then are many rows.
 */
export async function readScoresAt(
  lines: Lines,
  { scorecards }: Engine,
  { day, filter }: { readonly day: string; readonly filter: TargetFilter },
): Promise<ReadonlyMap<string, readonly (Evidence | undefined)[]>> {
  await readRow(lines(`SELECT set_config('work_mem', '${workMemory}', true)`));
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const places = new Map(metrics.map((metric, place) => [metric, place]));
  const found = new Map<string, (Evidence | undefined)[]>();
  const slice = createSlices();
  for await (const rows of inLines(lines(scoresAt(day, filter)))) {
    await slice();
    for (const row of rows) {
      const endOfId = indexAfter(row, 4, 0);
      const endOfMetric = indexAfter(row, 2, endOfId + 1);
      const place = places.get(row.slice(endOfId + 1, endOfMetric));
      const hundredths = row.slice(endOfMetric + 1);
      if (place === undefined || hundredths === "") continue; // no longer registered, or not yet reported
      const id = row.slice(0, endOfId);
      const scores = found.get(id) ?? metrics.map(() => undefined);
      scores[place] = evidence(Number(hundredths) / 100);
      if (!found.has(id)) found.set(copyOf(id), scores);
    }
  }
  return found;
}

/** Its age makes no difference to a score. */
export function evidence(score: number): Evidence {
  return { score, reported_at: 0 };
}
