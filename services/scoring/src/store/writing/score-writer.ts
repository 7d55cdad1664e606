import type { Knex } from "knex";
import { latest, type NewScore, type ScoreRow, scoreRow, storeScores } from "../scores.ts";
import { createBatcher, type Save } from "./batcher.ts";

export interface ScoreWriter {
  /** Stores at least one score, all or none. Returns the latest time of the reports, by the database's clock. */
  readonly save: Save<readonly NewScore[], Date>;
}

/** Makes the writer for all scores of a process. `hasHistory` is as in `ScoreTerms`. */
export function createScoreWriter(knex: Knex, hasHistory = true): ScoreWriter {
  const save = createBatcher<readonly ScoreRow[], Date>({
    async store(values, terms) {
      const reportedAt = await storeScores(knex, values.flat(), { ...terms, hasHistory });
      return values.map((rows) => latest(rows.map(({ id }) => reportedAt(id))));
    },
    rowsOf: (rows) => rows.map(({ id }) => id),
    maxRows: 500, // with more, the first caller of a statement would wait long for the answer
    atOnce: 1,
    connections: knex.client.pool.max,
  });
  return { save: (scores, signal) => save(scores.map(scoreRow), signal) };
}
