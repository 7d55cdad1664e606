import type { Knex } from "knex";
import { latest, type NewScore, type ScoreRow, scoreRow, storeScores } from "../scores.ts";
import { createAttempt, type Store } from "./attempt.ts";
import { createFindFree } from "./free-rows.ts";
import { createLanes } from "./lanes.ts";
import { createWaitingRoom } from "./waiting-room.ts";

/** Stores scores. */
export interface ScoreWriter {
  /**
   * Stores at least one score, all or none. Returns after the commit: the latest time of the reports, by the database's
   * clock.
   *
   * @param isAwaited does the caller still wait? Otherwise the scores are not stored.
   * @param since when the caller arrived, by the clock of `performance.now()`; by default now
   */
  save(scores: readonly NewScore[], isAwaited?: () => boolean, since?: number): Promise<Date>;
}

/** Largest number of scores in a statement. With more, the first caller of a group would wait long for the answer. */
const maxRows = 500;

/**
 * Entries with more scores than this have statements to themselves, so that a single score does not wait for a
 * thousand.
 */
const largeRows = 50;

/**
 * Makes the writer for all scores of a process. It works with any number of connections, even with one.
 *
 * @param hasHistory as in `ScoreTerms`
 */
export function createScoreWriter(knex: Knex, hasHistory = true): ScoreWriter {
  const attempt = createAttempt(createStore(knex, hasHistory), maxRows);
  const lane = createLanes(attempt, createWaitingRoom(attempt, createFindFree(knex, "scores")));
  const options = { maxRows, atATime: 1, atMost: knex.client.pool.max };
  const [small, large] = [lane(options), lane(options)];
  return {
    save: (scores, isAwaited = () => true, since = performance.now()) =>
      new Promise((resolve, reject) => {
        const value = scores.map(scoreRow);
        const ids = value.map(({ id }) => id);
        const entry = { value, ids, since, isAwaited, resolve, reject };
        (ids.length > largeRows ? large : small).push(entry);
      }),
  };
}

function createStore(knex: Knex, hasHistory: boolean): Store<readonly ScoreRow[], Date> {
  return async (values, requireAwaited) => {
    const rows = values.flat();
    const reportedAt = await storeScores(knex, rows, { lockMs: lockMs(rows.length), requireAwaited, hasHistory });
    return values.map((rows) => latest(rows.map(({ id }) => reportedAt(id))));
  };
}

/**
 * How long a statement waits for a locked row, in milliseconds: about as long as the statement itself takes. That is
 * enough if another copy is just storing the same row, and too short to be noticed by others.
 */
function lockMs(rows: number): number {
  return 5 + Math.ceil(rows / 20);
}
