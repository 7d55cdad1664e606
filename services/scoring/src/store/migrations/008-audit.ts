import type { Knex } from "knex";

/**
 * Who did what, for everything that is not a report. The list of it is read from the newest entry on, and lists are
 * read in ascending order, so the index has the id, negative.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      actor text COLLATE "C" NOT NULL,
      action text COLLATE "C" NOT NULL,
      area text COLLATE "C",
      team text COLLATE "C",
      app text COLLATE "C",
      env text COLLATE "C",
      details jsonb NOT NULL
    )
  `);
  await knex.raw("CREATE INDEX audit_newest ON audit ((-id))");
}
