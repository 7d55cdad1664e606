import type { Knex } from "knex";

/** One row: the last migration known to the oldest version that works on this schema. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE schema_works_from (migration text COLLATE "C" NOT NULL)`);
  await knex.raw("INSERT INTO schema_works_from (migration) VALUES ('004-oldest-version')");
}
