import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { dayBefore } from "../lists/time.ts";
import type { Database } from "../store/database.ts";
import { idempotencyDays } from "../store/idempotency-keys.ts";
import { query } from "../store/sql.ts";
import { asDay, dayOf, firstMoment } from "../store/utc.ts";
import { overSince } from "../store/waivers.ts";

/** The number of rows to look up at a time, and to delete by one statement. */
const [lookRows, batchRows] = [50_000, 5_000];

/** Pause after each deletion, in milliseconds, for other work on the disk and the connection. */
const pauseMs = 100;

const today = dayOf("now()");

const isPast = (time: string) => `${time} < ${firstMoment(`${today} + 1 - ?::int`)}`;

/** For how many days every confirmation of a score is kept. Of days before, the last one is. */
const confirmationDays = 30;

/** SQL of a confirmation that another one of its day follows: the score at the end of the day needs the last one alone. */
const isThinned = `at < ${firstMoment(`${today} - ${confirmationDays}`)} AND EXISTS (
  SELECT FROM score_confirmations AS later
  WHERE (later.target_id, later.metric_id) = (score_confirmations.target_id, score_confirmations.metric_id)
    AND later.at > score_confirmations.at AND later.at < ${firstMoment(`${dayOf("score_confirmations.at")} + 1`)}
)`;

/** How long the audit and waivers that are over stay, in days: as long as the history, or 400 without one. */
const decisionDays = (historyDays: number) => historyDays || 400;

const ofArchived = `campaign_id IN (SELECT id FROM campaigns WHERE ${isPast("archived_at")})`;

/** The condition of old rows, and their lifetime in days, including today; by default that of the history. */
const old: Readonly<Record<string, { readonly isOld: string; daysOf?(historyDays: number): number }>> = {
  score_changes: { isOld: isPast("at") },
  score_confirmations: { isOld: `(${isPast("at")} OR ${isThinned})` },
  roll_up_days: { isOld: `day <= ${today} - ?::int` },
  audit: { isOld: isPast("at"), daysOf: decisionDays },
  waivers: { isOld: isPast(overSince), daysOf: decisionDays },
  // What belongs to a campaign goes before it.
  campaign_days: { isOld: ofArchived, daysOf: decisionDays },
  campaign_members: { isOld: ofArchived, daysOf: decisionDays },
  campaigns: { isOld: isPast("archived_at"), daysOf: decisionDays },
  badges: { isOld: isPast("revoked_at"), daysOf: decisionDays },
  idempotency_keys: { isOld: "made_at <= now() - make_interval(hours => 24 * ?::int)", daysOf: () => idempotencyDays },
};

/**
 * The oldest day since whose first moment no change was deleted, also not by a shorter history before; undefined without
 * history. The state before it cannot be derived from the remaining changes. It may be tomorrow.
 */
export async function oldestDay(knex: Knex, now: Date, historyDays: number): Promise<string | undefined> {
  if (historyDays === 0) return undefined;
  const [{ day }] = await query(knex)`
    SELECT greatest(changes_since, ${asDay(dayBefore(now, historyDays - 1))})::text AS day FROM roll_ups_until
  `;
  return day;
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
  await background.raw(`UPDATE roll_ups_until SET changes_since = greatest(changes_since, ${today} + 1 - ?::int)`, [
    historyDays,
  ]);
  let deleted = 0;
  for (const [table, { isOld, daysOf = () => historyDays }] of Object.entries(old)) {
    const days = daysOf(historyDays);
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
