import { ServiceError } from "../errors.ts";
import { type Database, withStore } from "../store/database.ts";
import { findGrant } from "../store/tokens.ts";
import type { Grant } from "./grant.ts";
import { hashToken, isWellFormed } from "./token.ts";

/** Tells what the bearer of a token may do. */
export interface TokenReader {
  /** Does reading ask the store, so that whoever sends many wrong tokens must be kept from it? */
  readonly asksStore: boolean;
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

/** Reads the access tokens of the database. */
export function accessTokens({ knex }: Database): TokenReader {
  return {
    asksStore: true,
    recognises: isWellFormed,
    async read(token) {
      const grant = await withStore(() => findGrant(knex, hashToken(token)));
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
