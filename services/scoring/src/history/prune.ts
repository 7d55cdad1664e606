import { setTimeout as sleep } from "node:timers/promises";
import { dayBefore } from "../lists/time.ts";
import type { Database } from "../store/database.ts";
import { keptDays } from "../store/idempotency-keys.ts";
import { dayOf, firstMoment } from "../store/utc.ts";
import { endOfWaiver } from "../store/waivers.ts";

/** Rows looked up at a time, and rows deleted by one statement. */
const [lookRows, batchRows] = [50_000, 5_000];

/** Pause after each statement that deletes, in milliseconds, in which others have the disk and the connection. */
const pauseMs = 100;

const today = dayOf("now()");

const isPast = (time: string) => `${time} < ${firstMoment(`${today} + 1 - ?::int`)}`;

/** How many days actions and waivers that are over are kept: as many as history, and 400 where there is none. */
const decisionDays = (historyDays: number) => historyDays || 400;

/**
 * Which rows of the tables are older than the days that they are kept, of which today is one, and how many these are: as
 * many as history, unless the table has a number of its own.
 */
const old: Readonly<Record<string, { readonly isOld: string; retention?(historyDays: number): number }>> = {
  score_changes: { isOld: isPast("at") },
  roll_up_days: { isOld: `day <= ${today} - ?::int` },
  audit: { isOld: isPast("at"), retention: decisionDays },
  waivers: { isOld: isPast(endOfWaiver), retention: decisionDays },
  idempotency_keys: { isOld: "made_at <= now() - make_interval(hours => 24 * ?::int)", retention: () => keptDays },
};

/**
 * The oldest day since whose first moment no change has been deleted; undefined if none is recorded. What was before an
 * older day cannot be read from the changes that are left.
 */
export function oldestKept(now: Date, historyDays: number): string | undefined {
  return historyDays === 0 ? undefined : dayBefore(now, historyDays - 1);
}

/**
 * Deletes rows that are too old, in small batches. A row is read once and deleted by its `ctid`. If another row has taken
 * that `ctid` since, it is too young to be deleted.
 *
 * @returns the number of deleted rows
 */
export async function prune(
  { background }: Database,
  { historyDays, signal }: { readonly historyDays: number; readonly signal: AbortSignal },
): Promise<number> {
  let deleted = 0;
  for (const [table, { isOld, retention = () => historyDays }] of Object.entries(old)) {
    const days = retention(historyDays);
    for (;;) {
      const look = `SELECT ctid::text FROM ${table} WHERE ${isOld} LIMIT ${lookRows}`;
      const { rows }: { rows: { ctid: string }[] } = await background.raw(look, [days]);
      for (let first = 0; first < rows.length; first += batchRows) {
        signal.throwIfAborted();
        const batch = rows.slice(first, first + batchRows).map(({ ctid }) => ctid);
        const remove = `DELETE FROM ${table} WHERE ctid = ANY (?::text[]::tid[]) AND ${isOld}`;
        const { rowCount, affectedRows = rowCount } = await background.raw(remove, [batch, days]);
        deleted += affectedRows;
        await sleep(pauseMs, undefined, { signal });
      }
      if (rows.length < lookRows) break;
    }
  }
  return deleted;
}
