import { ServiceError } from "../model/errors.ts";
import type { Grant } from "../model/grant.ts";
import { type Database, withStore } from "../store/database.ts";
import { boundWaiting, shareLookUps } from "./shared-look-ups.ts";
import { hashToken, isWellFormed } from "./token.ts";
import { findGrants } from "./tokens.ts";

/** Tells what the bearer of a token may do. */
export interface TokenReader {
  /** Does it look like a token of this kind? */
  recognises(token: string): boolean;
  /**
   * What the token grants, and how many milliseconds that may be remembered.
   *
   * @throws ServiceError `unauthorized` when it is not good; another one when that cannot be told, or it grants nothing
   */
  read(token: string): Promise<{ readonly grant: Grant; readonly goodForMs: number }>;
}

/** For so long an answer of the database about a token is used again: a revocation acts within this time. */
const rememberMs = 3_000;

/**
 * Callers that wait for one source to tell of their tokens. A source that answers takes milliseconds for all of them
 * together, so that only one which does not answer can make so many wait.
 */
export const maxWaiting = 4_000;

/**
 * Reads the access tokens of the database. A well-formed token that nobody was given can be made by anybody. It costs its
 * share of a statement, and no other caller the answer.
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
