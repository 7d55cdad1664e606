import type { Knex } from "knex";

/**
 * By their ends, what is in force is found among waivers that are over, however many these are. The end is null for none of
 * them, and part of the index of problems too.
 */
export async function up(knex: Knex): Promise<void> {
  const end = "coalesce(least(expires_at, revoked_at), 'infinity')";
  await knex.raw("DROP INDEX waivers_not_revoked");
  await knex.raw("DROP INDEX waivers_of_problems");
  await knex.raw(`CREATE INDEX waivers_by_end ON waivers ((${end}))`);
  await knex.raw(`
    CREATE INDEX waivers_of_problems ON waivers (hashtextextended(
      problem_type || chr(9) || area || chr(9) || coalesce(team, '') || chr(9) || coalesce(app, '') || chr(9) || coalesce(env, ''), 0
    ), (${end})) WHERE problem_type IS NOT NULL
  `);
}
