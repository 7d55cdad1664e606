import type { Knex } from "knex";

/**
 * Sessions of the Board. The cookie is known to its browser alone; `hash` is its SHA-256. A session of an access token
 * points to it, because it ends with the token; that of an ID token points to none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sessions (
      hash bytea PRIMARY KEY,
      token_id integer REFERENCES tokens ON DELETE CASCADE,
      name text COLLATE "C" NOT NULL,
      area text COLLATE "C",
      team text COLLATE "C",
      app text COLLATE "C",
      expires_at timestamptz NOT NULL
    )
  `);
  await knex.raw("CREATE INDEX sessions_expires_at ON sessions (expires_at)");
  await knex.raw("CREATE INDEX sessions_holder ON sessions (name, token_id, expires_at)");
}
