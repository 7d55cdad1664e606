import type { Knex } from "knex";

/** Names the advisory lock: "alerts" in ASCII, as a number. */
const lock = "107118186361971";

/** A process that is cut off from the database in the middle holds up the others for so long, in milliseconds. */
const idleLimitMs = 5_000;

/** Runs a transaction of which only one runs at a time, over all processes. Each sees what those before it committed. */
export function oneAtATime<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = ${idleLimitMs}`);
    await trx.raw("SELECT pg_advisory_xact_lock(?::bigint)", [lock]);
    return work(trx);
  });
}
