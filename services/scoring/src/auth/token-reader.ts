import { ServiceError } from "../model/errors.ts";
import { shareAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { withStore } from "../store/failures.ts";
import { hashToken, isWellFormed } from "./token.ts";
import { findTokens, type ValidToken } from "./tokens.ts";

/** The result of reading a token. */
export interface ReadToken extends Omit<ValidToken, "id"> {
  /** How long the grant may be cached, in milliseconds. */
  readonly cacheMs: number;
  /** The row of an access token; absent for an ID token. */
  readonly id?: number;
}

/** Reads one kind of tokens. */
export interface TokenReader {
  /** Whether the text looks like a token of this kind. */
  recognises(token: string): boolean;
  /**
   * Returns what the token grants.
   *
   * @throws ServiceError `unauthorized` if the token is not valid, or another code if the check failed or the token
   * grants nothing
   */
  read(token: string): Promise<ReadToken>;
}

/**
 * How long the database's answer about a token is cached, in milliseconds. A revocation takes effect within this time.
 */
const tokenCacheMs = 3_000;

/**
 * Reads access tokens from the database. A made-up well-formed token costs a share of one statement, and does not delay
 * other callers.
 */
export function accessTokens({ knex }: Database): TokenReader {
  const findToken = shareLookUps((hashes) => findTokens(knex, hashes));
  return {
    recognises: isWellFormed,
    async read(token) {
      const found = await findToken(hashToken(token));
      if (!found) throw unknownToken();
      return { ...found, cacheMs: tokenCacheMs };
    },
  };
}

/**
 * Combines look-ups: those that arrive while a statement runs share the next one, so a caller waits for at most two.
 *
 * @param findAll finds the rows of these hashes, without missing ones
 */
export function shareLookUps<Found>(
  findAll: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (hash: string) => Promise<Found | undefined> {
  const find = shareAnswers<string, ReadonlyMap<string, Found>>(({ questions, begin }) => {
    begin();
    return findAll([...new Set(questions)]);
  });
  return (hash) => withStore(async () => (await find(hash)).get(hash));
}

export function unknownToken(): ServiceError {
  return unauthorized("the token is unknown, expired or revoked");
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message, { headers: { "www-authenticate": 'Bearer realm="maturity"' } });
}
