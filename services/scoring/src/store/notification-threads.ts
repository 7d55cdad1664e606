import type { Knex } from "knex";

/** The messages about one subject at one address of a destination. */
export interface NotificationThread {
  readonly subject: string;
  readonly destination: string;
  /** Empty if the destination has one address only. */
  readonly address: string;
}

/** SQL that says whether a row belongs to one of the threads in `threadValues`. */
export const isOfThread = "(subject, destination, address) IN (SELECT * FROM unnest(?::text[], ?::text[], ?::text[]))";

/** The values of `isOfThread`. */
export function threadValues(
  threads: readonly NotificationThread[],
): [subjects: string[], destinations: string[], addresses: string[]] {
  return [
    threads.map(({ subject }) => subject),
    threads.map(({ destination }) => destination),
    threads.map(({ address }) => address),
  ];
}

/**
 * Deletes threads whose first message was never sent and that have no message left, so that their end is not sent
 * either. Every transaction locks threads before their messages.
 */
export async function forgetUnannounced(trx: Knex, threads: readonly NotificationThread[]): Promise<void> {
  await trx.raw(
    `
    DELETE FROM notification_threads
    WHERE ${isOfThread} AND message IS NULL AND NOT EXISTS (
      SELECT FROM notifications AS left_over
      WHERE (left_over.subject, left_over.destination, left_over.address)
        = (notification_threads.subject, notification_threads.destination, notification_threads.address)
    )
    `,
    threadValues(threads),
  );
}
