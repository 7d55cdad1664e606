import { ServiceError } from "../model/errors.ts";
import type { Grant } from "../model/grant.ts";
import { type Database, withStore } from "../store/database.ts";
import { boundWaiting, shareLookUps } from "./shared-look-ups.ts";
import { hashToken, isWellFormed } from "./token.ts";
import { findGrants } from "./tokens.ts";

/** Finds out what the bearer of a token may do. */
export interface TokenReader {
  /** Says whether the text looks like a token of this kind. */
  recognises(token: string): boolean;
  /**
   * Returns the grant of the token, and for how many milliseconds it may be remembered.
   *
   * @throws ServiceError `unauthorized` if the token is not valid, or another code if this cannot be found out or the
   * token grants nothing
   */
  read(token: string): Promise<{ readonly grant: Grant; readonly goodForMs: number }>;
}

/**
 * How long the database's answer about a token is used again, in milliseconds. A revocation takes effect within this
 * time.
 */
const rememberMs = 3_000;

/**
 * Number of callers that may wait for one source of tokens. A working source answers all of them together within
 * milliseconds, so this many wait only if the source does not answer.
 */
export const maxWaiting = 4_000;

/**
 * Reads the access tokens of the database. Anybody can make up a well-formed token; each one costs a share of one
 * statement, and does not delay other callers.
 */
export function accessTokens({ knex }: Database): TokenReader {
  const lookUp = shareLookUps((hashes) => findGrants(knex, hashes));
  const find = boundWaiting(maxWaiting, (hash: string) => withStore(() => lookUp(hash)));
  return {
    recognises: isWellFormed,
    async read(token) {
      const grant = await find(hashToken(token));
      if (!grant) throw unknownToken();
      return { grant, goodForMs: rememberMs };
    },
  };
}

export function unknownToken(): ServiceError {
  return unauthorized("the token is unknown, expired or revoked");
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message, { headers: { "www-authenticate": 'Bearer realm="maturity"' } });
}
