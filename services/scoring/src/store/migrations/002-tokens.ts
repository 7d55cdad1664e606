import type { Knex } from "knex";

/** Access tokens. The token itself is known to its holder alone; `hash` is its SHA-256. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tokens (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      hash bytea NOT NULL UNIQUE,
      scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
      area text COLLATE "C",
      team text COLLATE "C",
      app text COLLATE "C",
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz,
      revoked_at timestamptz
    )
  `);
}
