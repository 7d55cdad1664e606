import type { Knex } from "knex";
import type { NewScore } from "../../src/store/new-score.ts";
import { createScoreStore, type StoredScores } from "../../src/store/scores.ts";

/** Stores scores without a waiting caller. Returns the latest time of their reports. */
export async function saveScores(knex: Knex, scores: readonly NewScore[]): Promise<Date> {
  const terms = { lockMs: 500, isPatient: true, signal: AbortSignal.any([]) };
  const [stored] = await createScoreStore(knex, 400)([scores], terms);
  return (stored as StoredScores).reportedAt;
}
