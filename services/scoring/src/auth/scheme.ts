import type { Request, Server } from "@hapi/hapi";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { ServiceError } from "../errors.ts";
import { type Database, withStore } from "../store/database.ts";
import { findGrant } from "../store/tokens.ts";
import { type Grant, unlimited } from "./grant.ts";
import { hashToken, isWellFormed } from "./token.ts";

/** How callers say who they are. */
export type AuthMode = "none" | "token";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** What the caller may do. */
    grant?: Grant;
  }
}

/** For so long an answer of the database about a token is used again: a revocation acts within this time. */
const cacheMs = 3_000;

/** Wrong tokens an address may send within a minute; further unknown ones are turned away unlooked. */
const wrongAttempts = 30;

/** Makes every route ask for a grant, except those that set `auth: false`. */
export function registerAuth(server: Server, mode: AuthMode, database: Database, onFailure: () => void): void {
  const authenticate = mode === "none" ? async () => unlimited : tokenAuthenticator(database, onFailure);
  server.auth.scheme("grant", () => ({
    async authenticate(request, h) {
      const grant = await authenticate(request);
      return h.authenticated({ credentials: { grant, scope: [...grant.scopes] } });
    },
  }));
  server.auth.strategy("grant", "grant");
  server.auth.default("grant");
}

/** What the caller of this request may do. */
export function grantOf(request: Request): Grant {
  return request.auth.credentials.grant ?? unlimited;
}

function tokenAuthenticator(database: Database, onFailure: () => void): (request: Request) => Promise<Grant> {
  const limiter = new RateLimiterMemory({ points: wrongAttempts, duration: 60 });
  const cache = new LRUCache<string, { readonly grant: Grant | undefined }>({ max: 10_000, ttl: cacheMs });

  return async ({ raw, info }) => {
    const token = /^Bearer +(\S+) *$/i.exec(raw.req.headers.authorization ?? "")?.[1];
    if (token === undefined) throw unauthorized("send a token as authorization: Bearer …");
    const { grant } = cache.get(token) ?? (await lookUp(token, info.remoteAddress));
    if (grant) return grant;
    onFailure();
    await limiter.consume(info.remoteAddress).catch(() => {});
    throw unauthorized("the token is unknown, expired or revoked");
  };

  async function lookUp(token: string, address: string): Promise<{ grant: Grant | undefined }> {
    const attempts = await limiter.get(address);
    if (attempts !== null && attempts.remainingPoints <= 0) {
      const seconds = Math.ceil(attempts.msBeforeNext / 1_000);
      const message = "too many wrong tokens from this address; try again later";
      throw new ServiceError("too-many-attempts", message, { headers: { "retry-after": String(seconds) } });
    }
    if (!isWellFormed(token)) return { grant: undefined };
    const found = { grant: await withStore(() => findGrant(database.knex, hashToken(token))) };
    cache.set(token, found);
    return found;
  }
}

function unauthorized(message: string): ServiceError {
  return new ServiceError("unauthorized", message, { headers: { "www-authenticate": 'Bearer realm="maturity"' } });
}
