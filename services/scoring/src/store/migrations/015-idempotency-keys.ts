import type { Knex } from "knex";

/**
 * What was answered to whatever made something under an idempotency key. `id` is a hash of the caller and the key,
 * `request` one of the request; `answer` is null only while its transaction runs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_keys (
      id bytea PRIMARY KEY,
      request bytea NOT NULL,
      answer json,
      made_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
  `);
}
