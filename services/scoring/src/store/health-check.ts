import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { shareAnswers } from "./cache.ts";

/** Time limit for the answer, in milliseconds. */
const patienceMs = 1_500;

/** Makes a function that checks whether the database answers. Simultaneous callers share one statement. */
export function createHealthCheck(knex: Knex): () => Promise<boolean> {
  const ask = shareAnswers<void, boolean>(async () => (await answerOf(knex.raw("SELECT 1"))) !== undefined);
  return () => ask();
}

/** The answer of the database, or undefined after the time limit. */
export function answerOf<T>(answer: PromiseLike<T>): Promise<T | undefined> {
  const over = new AbortController();
  // After a stall of this process the answer may have arrived, but timers run before it is read.
  const late = sleep(patienceMs, undefined, { signal: over.signal }).then(() => nextTurn(undefined));
  return Promise.race([answer, late])
    .catch(() => undefined)
    .finally(() => {
      late.catch(() => {});
      over.abort();
    });
}
