import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import { query } from "./sql.ts";

/** The messages about one subject at one address of a destination. */
export interface NotificationThread {
  readonly subject: string;
  readonly destination: string;
  /** Empty if the destination has one address only. */
  readonly address: string;
}

/** SQL that says whether a row belongs to one of these threads. */
export function isOfThread(threads: readonly NotificationThread[]): Sql {
  const subjects = threads.map(({ subject }) => subject);
  const destinations = threads.map(({ destination }) => destination);
  const addresses = threads.map(({ address }) => address);
  return sql`(subject, destination, address) IN (
    SELECT * FROM unnest(${subjects}::text[], ${destinations}::text[], ${addresses}::text[])
  )`;
}

/**
 * Deletes threads whose first message was never sent and that have no message left, so that their end is not sent
 * either. Every transaction locks threads before their messages.
 */
export async function forgetUnannounced(trx: Knex, threads: readonly NotificationThread[]): Promise<void> {
  await query(trx)`
    DELETE FROM notification_threads
    WHERE ${isOfThread(threads)} AND message IS NULL AND NOT EXISTS (
      SELECT FROM notifications AS left_over
      WHERE (left_over.subject, left_over.destination, left_over.address)
        = (notification_threads.subject, notification_threads.destination, notification_threads.address)
    )
  `;
}
