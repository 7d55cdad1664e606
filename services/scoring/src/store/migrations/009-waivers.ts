import type { Knex } from "knex";

/**
 * Waivers, and how much of a day's weight was waived (null for the days before).
 *
 * A waiver is never changed but for its revocation, and never deleted, so that what was in force at a time stays known.
 * Its times are whole milliseconds: whoever decides whether it is in force, here or in the service, finds the same.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE waivers (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      kind text NOT NULL,
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C",
      app text COLLATE "C",
      env text COLLATE "C",
      scorecard text COLLATE "C",
      metric text COLLATE "C",
      problem_type text COLLATE "C",
      reason text NOT NULL,
      owner text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
      created_by text NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      revoked_by text,
      CHECK (team IS NOT NULL OR app IS NULL),
      CHECK (app IS NOT NULL OR env IS NULL),
      CHECK ((scorecard IS NULL) <> (problem_type IS NULL)),
      CHECK (scorecard IS NOT NULL OR metric IS NULL),
      CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
    )
  `);
  await knex.raw("CREATE INDEX waivers_not_revoked ON waivers (expires_at) WHERE revoked_at IS NULL");
  await knex.raw("ALTER TABLE roll_up_days ADD COLUMN waived float8");
}
