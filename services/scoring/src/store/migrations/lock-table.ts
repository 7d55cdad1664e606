import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { isLocked } from "../database.ts";

/** How long writers may have to wait behind a try, in milliseconds, and the pause in which they catch up. */
const [tryMs, pauseMs] = [500, 1_000];

/**
 * Locks a table against everybody until the transaction ends. Whoever waits for such a lock makes all later readers and
 * writers wait too. So behind a transaction that reads for minutes, such as an export, this gives up and tries again
 * and again.
 */
export async function lockTable(trx: Knex, table: string): Promise<void> {
  for (;;) {
    await trx.raw("SAVEPOINT before_lock");
    await trx.raw(`SET LOCAL lock_timeout = ${tryMs}`);
    try {
      await trx.raw("LOCK TABLE ?? IN ACCESS EXCLUSIVE MODE", [table]);
      await trx.raw("SET LOCAL lock_timeout = 0");
      return;
    } catch (error) {
      if (!isLocked(error)) throw error;
      await trx.raw("ROLLBACK TO SAVEPOINT before_lock");
      await sleep(pauseMs);
    }
  }
}
