import type { Knex } from "knex";

/** Which version is the oldest that works on this schema, by the last migration that it knows. One row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE schema_works_from (migration text COLLATE "C" NOT NULL)`);
  await knex.raw("INSERT INTO schema_works_from (migration) VALUES ('004-oldest-version')");
}
