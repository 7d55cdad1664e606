import type { Knex } from "knex";

/** By what two connections know whether they lead to one database. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("CREATE TABLE database_id (id uuid NOT NULL DEFAULT gen_random_uuid())");
  await knex.raw("INSERT INTO database_id DEFAULT VALUES");
}
