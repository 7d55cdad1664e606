import type { Knex } from "knex";
import sql from "sql-template-tag";
import type { Bounded, Bounds, Grant, Scope } from "../model/grant.ts";
import { query } from "../store/sql.ts";

/** What a token grants: scopes within one area, team or application. */
interface TokenGrant {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly bounds: Bounds;
}

/** A token to store. */
export interface NewToken extends TokenGrant {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  /** When the token expires; never if absent. */
  readonly expiresAt?: Date;
}

/** A stored token, without its secret. */
export interface StoredToken extends TokenGrant {
  readonly id: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** SQL of the bounds of a token. */
const boundsJson = sql`json_strip_nulls(json_build_object('area', area, 'team', team, 'app', app))`;

/** SQL that says whether a token is neither expired nor revoked. */
const isGood = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/** Stores a token and returns its id. */
export async function insertToken(knex: Knex, { name, hash, scopes, bounds, expiresAt }: NewToken): Promise<number> {
  const [stored] = await query(knex)`
    INSERT INTO tokens (name, hash, scopes, area, team, app, expires_at)
    VALUES (${name}::text, decode(${hash}::text, 'hex'), string_to_array(${scopes.join(" ")}::text, ' '),
      ${bounds.area}::text, ${bounds.team}::text, ${bounds.app}::text, ${expiresAt?.toISOString()}::timestamptz)
    RETURNING id
  `;
  return stored.id;
}

/** A token that is neither expired nor revoked. */
export interface ValidToken {
  readonly id: number;
  readonly grant: Grant;
  /** When the token expires; never if null. */
  readonly expiresAt: Date | null;
}

/** The tokens with these hashes, by hash. Unknown, expired and revoked tokens are left out. */
export async function findTokens(knex: Knex, hashes: readonly string[]): Promise<ReadonlyMap<string, ValidToken>> {
  const rows = await query(knex)`
    SELECT encode(hash, 'hex') AS hash, id, expires_at AS "expiresAt",
      json_build_object('name', name, 'caller', 'token ' || id,
        'parts', json_build_array(json_build_object('scopes', scopes, 'bounds', ${boundsJson}))) AS "grant"
    FROM tokens
    WHERE hash IN (SELECT decode(unnest(string_to_array(${hashes.join(" ")}::text, ' ')), 'hex')) AND ${isGood}
  `;
  return new Map(rows.map(({ hash, ...token }: ValidToken & { hash: string }) => [hash, token]));
}

/** All tokens, the oldest first. */
export async function listTokens(knex: Knex): Promise<StoredToken[]> {
  return query(knex)`
    SELECT id, name, scopes, ${boundsJson} AS bounds, created_at AS "createdAt", expires_at AS "expiresAt",
      revoked_at AS "revokedAt"
    FROM tokens
    ORDER BY id
  `;
}

/** Number of tokens that are neither expired nor revoked. */
export async function countValidTokens(knex: Knex): Promise<number> {
  const [valid] = await query(knex)`SELECT count(*)::int AS count FROM tokens WHERE ${isGood}`;
  return valid.count;
}

/** The largest number of tokens in the answer to a move. */
const maxListed = 100;

/**
 * The valid tokens whose bounds include something that moves, but not its new name; the first hundred.
 *
 * @param caller tokens beyond its bounds are left out
 */
export async function findTokensLeftBehind(
  knex: Knex,
  { from, to }: { readonly from: Bounds; readonly to: Bounds },
  caller: Bounded,
): Promise<Pick<StoredToken, "id" | "name">[]> {
  return query(knex)`
    SELECT id, name
    FROM tokens,
      (VALUES (${from.area}::text, ${from.team}::text, ${from.app}::text)) AS former (area, team, app),
      (VALUES (${to.area}::text, ${to.team}::text, ${to.app}::text)) AS later (area, team, app)
    WHERE coalesce(tokens.area = former.area, true) AND coalesce(tokens.team = former.team, true)
      AND coalesce(tokens.app = former.app, true)
      AND (tokens.area <> later.area OR tokens.team <> later.team OR tokens.app <> later.app)
      AND EXISTS (
        SELECT FROM jsonb_to_recordset(${JSON.stringify(caller.parts.map(({ bounds }) => bounds))}::jsonb)
          AS bounds (area text, team text, app text)
        WHERE (bounds.area IS NULL OR bounds.area = tokens.area) AND (bounds.team IS NULL OR bounds.team = tokens.team)
          AND (bounds.app IS NULL OR bounds.app = tokens.app)
      )
      AND ${isGood}
    ORDER BY id
    LIMIT ${maxListed}::int
  `;
}

/** Revokes a token and returns its grant; undefined if it does not exist or is revoked already. */
export async function revokeToken(knex: Knex, id: number): Promise<TokenGrant | undefined> {
  const [revoked] = await query(knex)`
    WITH revoked AS (
      UPDATE tokens SET revoked_at = now() WHERE id = ${id}::int AND revoked_at IS NULL
      RETURNING name, scopes, area, team, app
    )
    SELECT name, scopes, ${boundsJson} AS bounds FROM revoked
  `;
  return revoked;
}
