import type { Knex } from "knex";

/** The weights, ages and levels in force, a row for each time that they changed. The last one is that of now. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE policies (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      loaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      policy jsonb NOT NULL
    )
  `);
}
