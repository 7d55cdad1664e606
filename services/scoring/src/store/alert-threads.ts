import type { Knex } from "knex";

/** The messages about a problem in a channel, from its opening to its end. */
export interface AlertThread {
  readonly thread: string;
  readonly channel: string;
}

/** SQL that says whether a row is of one of some threads. Its values are `threadValues`. */
export const isOfThread = "(thread, channel) IN (SELECT * FROM unnest(?::text[], ?::text[]))";

export function threadValues(threads: readonly AlertThread[]): string[][] {
  return [threads.map(({ thread }) => thread), threads.map(({ channel }) => channel)];
}

/**
 * Deletes those of the threads of which nobody has heard and of which no message is left, so that no chat hears of their
 * end either. Threads are locked before their messages, as everywhere.
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
