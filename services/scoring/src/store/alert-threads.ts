import type { Knex } from "knex";

/** The messages about one opening of a problem in one channel. */
export interface AlertThread {
  readonly thread: string;
  readonly channel: string;
}

/** SQL that says whether a row belongs to one of the threads in `threadValues`. */
export const isOfThread = "(thread, channel) IN (SELECT * FROM unnest(?::text[], ?::text[]))";

/** The values of `isOfThread`: the threads, and the channels in the same order. */
export function threadValues(threads: readonly AlertThread[]): [threads: string[], channels: string[]] {
  return [threads.map(({ thread }) => thread), threads.map(({ channel }) => channel)];
}

/**
 * Deletes threads whose first message was never sent and that have no message left, so that their end is not sent
 * either. Every transaction locks threads before their messages.
 */
export async function forgetUnannounced(trx: Knex, threads: readonly AlertThread[]): Promise<void> {
  await trx.raw(
    `
    DELETE FROM alert_threads
    WHERE ${isOfThread} AND message_ts IS NULL AND NOT EXISTS (
      SELECT FROM alerts WHERE (alerts.thread, alerts.channel) = (alert_threads.thread, alert_threads.channel)
    )
    `,
    threadValues(threads),
  );
}
