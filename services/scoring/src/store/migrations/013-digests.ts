import type { Knex } from "knex";

/** When the last digest was due. A message of a digest is about no single problem. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("CREATE TABLE digested_until (due_at timestamptz)");
  await knex.raw("INSERT INTO digested_until VALUES (NULL)");
  const columns = ["area", "team", "app", "env", "problem_type"].map((name) => `ALTER COLUMN ${name} DROP NOT NULL`);
  await knex.raw(`ALTER TABLE alerts ${columns.join(", ")}`);
}
