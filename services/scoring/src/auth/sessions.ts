import type { Knex } from "knex";
import type { Grant } from "../model/grant.ts";

/** A session of a person who signed in, or of the holder of a token, who may only read. */
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
  /** Of a person: the session at the provider. */
  readonly sid?: string | undefined;
  /** Of a person: the version of the rules that grant it. The session ends when they change. */
  readonly rules?: string;
  /** When the token expires; never if null. */
  readonly expiresAt: Date | null;
}

/** A session as the list shows it. */
export interface ListedSession extends Session {
  readonly id: number;
  readonly openedAt: Date;
}

/** Longest lifetime of a session, in hours. */
const longestHours = 12;

/** Largest number of sessions of one caller. A further one ends the oldest. */
const maxOfHolder = 1_000;

/** Stores a session and deletes expired ones. Returns when it expires, or undefined if its token has expired. */
export async function insertSession(knex: Knex, session: NewSession): Promise<Date | undefined> {
  const { hash, grant, tokenId = null, sid = null, rules = null, expiresAt } = session;
  const { name, caller, parts, issuer = null } = grant;
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
    INSERT INTO sessions (hash, token_id, name, caller, parts, issuer, sid, rules, expires_at)
    SELECT decode(?::text, 'hex'), ?::int, ?::text, ?::text, ?::jsonb, ?::text, ?::text, ?::text, until
    FROM (SELECT least(now() + interval '${longestHours} hours', ?::timestamptz) AS until) AS ends
    WHERE until > now()
    RETURNING expires_at
    `,
    [
      ...[caller, hash, tokenId, name, caller, JSON.stringify(parts)],
      ...[issuer, sid, rules, expiresAt?.toISOString() ?? null],
    ],
  );
  return rows[0]?.expires_at;
}

/** SQL of the columns of a session. */
const columns = `
  json_strip_nulls(json_build_object('name', sessions.name, 'caller', caller, 'parts', parts, 'issuer', issuer)) AS "grant",
  sessions.expires_at AS "expiresAt"`;

/**
 * The sessions with these hashes, by hash, without those that are over.
 *
 * @param rules the version of the rules for people, if there are any
 */
export async function findSessions(
  knex: Knex,
  hashes: readonly string[],
  rules: string | undefined,
): Promise<ReadonlyMap<string, Session>> {
  const { rows } = await knex.raw(
    `
    SELECT encode(sessions.hash, 'hex') AS hash, ${columns}
    FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
    WHERE sessions.hash IN (SELECT decode(unnest(string_to_array(?::text, ' ')), 'hex'))
      AND sessions.expires_at > now() AND (rules IS NULL OR rules = ?::text)
      AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    `,
    [hashes.join(" "), rules ?? null],
  );
  return new Map(rows.map(({ hash, ...session }: Session & { hash: string }) => [hash, session]));
}

/** All sessions that are not over, the oldest first. */
export async function listSessions(knex: Knex): Promise<ListedSession[]> {
  const { rows } = await knex.raw(
    `
    SELECT sessions.id, opened_at AS "openedAt", ${columns}
    FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
    WHERE sessions.expires_at > now()
      AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    ORDER BY sessions.id
    `,
  );
  return rows;
}

/** Deletes the session with this hash, if there is one. */
export async function deleteSession(knex: Knex, hash: string): Promise<void> {
  await knex.raw("DELETE FROM sessions WHERE hash = decode(?::text, 'hex')", [hash]);
}

/** Deletes a session by its id, or all sessions of a name, and returns whose they were. */
export async function revokeSessions(
  knex: Knex,
  { id = null, name = null }: { readonly id?: number | null; readonly name?: string | null },
): Promise<(Pick<Grant, "name"> & { readonly id: number; readonly issuer: string | null })[]> {
  const { rows } = await knex.raw(
    "DELETE FROM sessions WHERE (id = ?::int OR name = ?::text) AND expires_at > now() RETURNING id, name, issuer",
    [id, name],
  );
  return rows;
}

/** Deletes the sessions that a session at the provider opened; if it or ours is unnamed, those of its person. */
export async function endSessionsOf(
  knex: Knex,
  { issuer, sid = null, caller }: { issuer: string; sid?: string | null | undefined; caller: string },
): Promise<void> {
  await knex.raw(
    `
    DELETE FROM sessions
    WHERE issuer = ?::text AND (sid = ?::text OR (caller = ?::text AND (sid IS NULL OR ?::text IS NULL)))
    `,
    [issuer, sid, caller, sid],
  );
}
