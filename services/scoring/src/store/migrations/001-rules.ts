import type { Knex } from "knex";

/**
 * Waivers, and the weights, ages and levels in force: a row of `policies` for each time that they changed, the last one
 * that of now.
 *
 * A waiver is never changed but for its revocation, and never deleted, so that what was in force at a time stays known.
 * Its times are whole milliseconds: whoever decides whether it is in force, here or in the service, finds the same. By
 * their ends, what is in force is found among waivers that are over, however many these are.
 *
 * A waiver of an application goes by its id, one of a team or an area by names. Whether a problem is waived is found by
 * the index of each kind.
 */
export async function createRules(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE waivers (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      kind text NOT NULL,
      application_id integer REFERENCES applications,
      area text COLLATE "C",
      team text COLLATE "C",
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
      CHECK ((application_id IS NULL) = (area IS NOT NULL)),
      CHECK (application_id IS NULL OR team IS NULL),
      CHECK (application_id IS NOT NULL OR env IS NULL),
      CHECK ((scorecard IS NULL) <> (problem_type IS NULL)),
      CHECK (scorecard IS NOT NULL OR metric IS NULL),
      CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
    )
  `);
  const end = "coalesce(least(expires_at, revoked_at), 'infinity')";
  await knex.raw(`CREATE INDEX waivers_by_end ON waivers ((${end}))`);
  await knex.raw(`
    CREATE INDEX waivers_of_applications ON waivers (application_id, problem_type, (${end}))
    WHERE problem_type IS NOT NULL AND application_id IS NOT NULL
  `);
  await knex.raw(`
    CREATE INDEX waivers_of_groups ON waivers (area, coalesce(team, ''), problem_type, (${end}))
    WHERE problem_type IS NOT NULL AND application_id IS NULL
  `);
  await knex.raw(`
    CREATE TABLE policies (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      loaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      policy jsonb NOT NULL
    )
  `);
}
