import type { Knex } from "knex";
import type { Grant } from "../model/grant.ts";

/** A session: it may read within the bounds of the token that opened it. */
export interface Session {
  readonly grant: Grant;
  readonly expiresAt: Date;
}

/** A session to store. */
export interface NewSession {
  /** SHA-256 of the cookie, in hexadecimal. */
  readonly hash: string;
  readonly grant: Grant;
  /** The access token, whose end ends the session; absent for an ID token. */
  readonly tokenId?: number | undefined;
  /** When the token expires; never if null. */
  readonly expiresAt: Date | null;
}

/** Longest lifetime of a session, in hours. */
const longestHours = 12;

/** Largest number of sessions of one caller. A further one ends the oldest. */
const maxOfHolder = 1_000;

/** Stores a session and deletes expired ones. Returns when it expires, or undefined if its token has expired. */
export async function insertSession(knex: Knex, session: NewSession): Promise<Date | undefined> {
  const { hash, grant, tokenId = null, expiresAt } = session;
  const { name, caller, parts } = grant;
  const { rows } = await knex.raw(
    `
    WITH ended AS (
      DELETE FROM sessions
      WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= now() LIMIT 1000 FOR UPDATE SKIP LOCKED)
    ),
    replaced AS (
      DELETE FROM sessions
      WHERE hash IN (
        SELECT hash FROM sessions
        WHERE caller = ?::text AND expires_at > now()
        ORDER BY expires_at DESC
        OFFSET ${maxOfHolder - 1}
        FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO sessions (hash, token_id, name, caller, parts, expires_at)
    SELECT decode(?::text, 'hex'), ?::int, ?::text, ?::text, ?::jsonb, until
    FROM (SELECT least(now() + interval '${longestHours} hours', ?::timestamptz) AS until) AS ends
    WHERE until > now()
    RETURNING expires_at
    `,
    [caller, hash, tokenId, name, caller, JSON.stringify(parts), expiresAt?.toISOString() ?? null],
  );
  return rows[0]?.expires_at;
}

/** The sessions with these hashes, by hash, without those that are expired or whose token is. */
export async function findSessions(knex: Knex, hashes: readonly string[]): Promise<ReadonlyMap<string, Session>> {
  const { rows } = await knex.raw(
    `
    SELECT encode(sessions.hash, 'hex') AS hash, sessions.name, caller, parts, sessions.expires_at
    FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
    WHERE sessions.hash IN (SELECT decode(unnest(string_to_array(?::text, ' ')), 'hex'))
      AND sessions.expires_at > now()
      AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    `,
    [hashes.join(" ")],
  );
  return new Map(
    rows.map(({ hash, expires_at, ...grant }: Grant & { hash: string; expires_at: Date }) => [
      hash,
      { grant, expiresAt: expires_at },
    ]),
  );
}

/** Deletes the session with this hash, if there is one. */
export async function deleteSession(knex: Knex, hash: string): Promise<void> {
  await knex.raw("DELETE FROM sessions WHERE hash = decode(?::text, 'hex')", [hash]);
}
