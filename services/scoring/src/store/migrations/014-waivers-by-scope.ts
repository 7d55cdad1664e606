import type { Knex } from "knex";

/**
 * By what it is found whether a problem is waived, however many waivers there are. An empty text means all, as null does.
 * It is a hash, because names of 200 characters do not fit into a B-tree entry.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX waivers_of_problems ON waivers (hashtextextended(
      problem_type || chr(9) || area || chr(9) || coalesce(team, '') || chr(9) || coalesce(app, '') || chr(9) || coalesce(env, ''), 0
    )) WHERE problem_type IS NOT NULL
  `);
}
