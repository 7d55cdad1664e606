import type { Knex } from "knex";
import { latest, type NewScore, scoreRow, storeScores } from "../../src/store/scores.ts";

/** Stores scores without a waiting caller. Returns the latest time of their reports. */
export async function saveScores(knex: Knex, scores: readonly NewScore[]): Promise<Date> {
  const rows = scores.map(scoreRow);
  const reportedAt = await storeScores(knex, rows, { lockMs: 500, signal: AbortSignal.any([]), hasHistory: true });
  return latest(rows.map(({ id }) => reportedAt(id)));
}
