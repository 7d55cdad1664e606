import type { Knex } from "knex";
import sql from "sql-template-tag";
import type { Grant } from "../model/grant.ts";
import { query } from "../store/sql.ts";

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
  const { hash, grant, tokenId, sid, rules, expiresAt } = session;
  const { name, caller, parts, issuer } = grant;
  const [stored] = await query(knex)`
    WITH ended AS (
      DELETE FROM sessions
      WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= now() LIMIT 1000 FOR UPDATE SKIP LOCKED)
    ),
    replaced AS (
      DELETE FROM sessions
      WHERE hash IN (
        SELECT hash FROM sessions
        WHERE caller = ${caller}::text AND expires_at > now()
        ORDER BY expires_at DESC
        OFFSET ${maxOfHolder - 1}::int
        FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO sessions (hash, token_id, name, caller, parts, issuer, sid, rules, expires_at)
    SELECT decode(${hash}::text, 'hex'), ${tokenId}::int, ${name}::text, ${caller}::text,
      ${JSON.stringify(parts)}::jsonb, ${issuer}::text, ${sid}::text, ${rules}::text, until
    FROM (
      SELECT least(now() + make_interval(hours => ${longestHours}::int), ${expiresAt?.toISOString()}::timestamptz)
        AS until
    ) AS ends
    WHERE until > now()
    RETURNING expires_at
  `;
  return stored?.expires_at;
}

/** SQL of the columns of a session. */
const columns = sql`
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
  const rows = await query(knex)`
    SELECT encode(sessions.hash, 'hex') AS hash, ${columns}
    FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
    WHERE sessions.hash IN (SELECT decode(unnest(string_to_array(${hashes.join(" ")}::text, ' ')), 'hex'))
      AND sessions.expires_at > now() AND (rules IS NULL OR rules = ${rules}::text)
      AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
  `;
  return new Map(rows.map(({ hash, ...session }: Session & { hash: string }) => [hash, session]));
}

/** All sessions that are not over, the oldest first. */
export async function listSessions(knex: Knex): Promise<ListedSession[]> {
  return query(knex)`
    SELECT sessions.id, opened_at AS "openedAt", ${columns}
    FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token_id
    WHERE sessions.expires_at > now()
      AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    ORDER BY sessions.id
  `;
}

/** Deletes the session with this hash, if there is one. */
export async function deleteSession(knex: Knex, hash: string): Promise<void> {
  await query(knex)`DELETE FROM sessions WHERE hash = decode(${hash}::text, 'hex')`;
}

/** Deletes a session by its id, or all sessions of a name, and returns whose they were. */
export async function revokeSessions(
  knex: Knex,
  { id, name }: { readonly id?: number | null; readonly name?: string | null },
): Promise<(Pick<Grant, "name"> & { readonly id: number; readonly issuer: string | null })[]> {
  return query(knex)`
    DELETE FROM sessions WHERE (id = ${id}::int OR name = ${name}::text) AND expires_at > now()
    RETURNING id, name, issuer
  `;
}

/** Deletes the sessions that a session at the provider opened; if it or ours is unnamed, those of its person. */
export async function endSessionsOf(
  knex: Knex,
  { issuer, sid, caller }: { issuer: string; sid?: string | null | undefined; caller: string },
): Promise<void> {
  await query(knex)`
    DELETE FROM sessions
    WHERE issuer = ${issuer}::text
      AND (sid = ${sid}::text OR (caller = ${caller}::text AND (sid IS NULL OR ${sid}::text IS NULL)))
  `;
}
