import type { Knex } from "knex";
import { type NewScore, type StoredScores, storeScores } from "../../src/store/scores.ts";

/** Stores scores without a waiting caller. Returns the latest time of their reports. */
export async function saveScores(knex: Knex, scores: readonly NewScore[]): Promise<Date> {
  const [stored] = await storeScores(knex, [scores], { lockMs: 500, signal: AbortSignal.any([]), hasHistory: true });
  return (stored as StoredScores).reportedAt;
}
