import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";

/** Time limit for the answer, in milliseconds. */
const patienceMs = 1_500;

/**
 * Makes a function that checks whether the database answers. Simultaneous callers share one statement, so health checks
 * cost the same however many there are.
 */
export function createHealthCheck(knex: Knex): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return () => {
    asked ??= ask(knex).finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

async function ask(knex: Knex): Promise<boolean> {
  const over = new AbortController();
  const answer = knex.raw("SELECT 1").then(() => true);
  // After a stall of this process the answer may be here already, and is read only after timers had their turn.
  const late = sleep(patienceMs, false, { signal: over.signal }).then((answer) => nextTurn(answer));
  return Promise.race([answer, late])
    .catch(() => false)
    .finally(() => {
      late.catch(() => {});
      over.abort();
    });
}
