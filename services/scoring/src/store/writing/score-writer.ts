import type { Knex } from "knex";
import type { Unregistered } from "../../model/unregistered.ts";
import { type NewScore, scoreId } from "../new-score.ts";
import { createScoreStore, type StoredScores } from "../scores.ts";
import { createBatcher, type Save } from "./batcher.ts";

/** Stores at least one score, all or none. */
export type ScoreWriter = Save<readonly NewScore[], StoredScores>;

/** Makes the writer of all scores of a process. The parameters are those of `createScoreStore`. */
export function createScoreWriter(
  knex: Knex,
  historyDays = 400,
  unregistered: Unregistered = "accept",
  announces = false,
): ScoreWriter {
  return createBatcher<readonly NewScore[], StoredScores>({
    store: createScoreStore(knex, historyDays, unregistered, announces),
    rowsOf: (scores) => scores.map(scoreId),
    maxRows: 500, // with more, the first caller of a statement would wait long for the answer
    atOnce: 1,
    connections: knex.client.pool.max,
  });
}
