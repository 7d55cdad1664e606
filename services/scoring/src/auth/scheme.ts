import type { AuthCredentials, Request, Server } from "@hapi/hapi";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { ServiceError } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { type Grant, unlimited } from "./grant.ts";
import { idTokens } from "./id-token.ts";
import type { OidcConfig } from "./oidc-config.ts";
import { accessTokens, type TokenReader, unauthorized, unknownToken } from "./token-reader.ts";

/** How callers say who they are: not at all, by access tokens, by ID tokens of an issuer, or by either. */
export type AuthMode = "none" | "token" | "oidc" | "token,oidc";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** What the caller may do. */
    grant?: Grant;
  }
}

/** Wrong tokens an address may send within a minute; then further wrong ones are told to wait, and the store is not asked. */
const wrongAttempts = 30;

/** Callers that are remembered, so that most requests cost no more than finding them. */
const maxRemembered = 10_000;

/** How callers are told apart. */
export interface AuthDependencies {
  readonly mode: AuthMode;
  readonly database: Database;
  /** Needed where the mode has `oidc`. */
  readonly oidc?: OidcConfig | undefined;
  /** Told of every wrong token. */
  onFailure(): void;
}

/** Makes every route ask for a grant, except those that set `auth: false`. */
export function registerAuth(server: Server, deps: AuthDependencies): void {
  const everybody = credentialsOf(unlimited);
  const authenticate = deps.mode === "none" ? () => everybody : authenticator(readersOf(deps), deps.onFailure);
  server.auth.scheme("grant", () => ({
    authenticate(request, h) {
      const found = authenticate(request);
      return found instanceof Promise
        ? found.then((credentials) => h.authenticated({ credentials }))
        : h.authenticated({ credentials: found });
    },
  }));
  server.auth.strategy("grant", "grant");
  server.auth.default("grant");
}

/** What the caller of this request may do. */
export function grantOf(request: Request): Grant {
  return request.auth.credentials.grant ?? unlimited;
}

function readersOf({ mode, database, oidc }: AuthDependencies): TokenReader[] {
  const readers: TokenReader[] = [];
  if (mode.includes("token")) readers.push(accessTokens(database));
  if (mode.includes("oidc")) {
    if (!oidc) throw new Error(`AUTH=${mode} needs issuers and their rules`);
    readers.push(idTokens(oidc));
  }
  return readers;
}

/** As hapi compares them with what a route asks for. */
function credentialsOf(grant: Grant): AuthCredentials {
  return Object.freeze({ grant, scope: [...grant.scopes] });
}

function authenticator(
  readers: readonly TokenReader[],
  onFailure: () => void,
): (request: Request) => AuthCredentials | Promise<AuthCredentials> {
  const limiter = new RateLimiterMemory({ points: wrongAttempts, duration: 60 });
  const remembered = new LRUCache<string, AuthCredentials>({ max: maxRemembered, ttlResolution: 100 });

  return ({ raw, info }) => {
    const header = raw.req.headers.authorization ?? "";
    return remembered.get(header) ?? identify(header, info.remoteAddress);
  };

  async function identify(header: string, address: string): Promise<AuthCredentials> {
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) throw unauthorized("send a token as authorization: Bearer …");
    const reader = readers.find(({ recognises }) => recognises(token));
    if (reader?.asksStore) await refuseAfterManyWrong(address);
    try {
      if (!reader) throw unknownToken();
      const { grant, goodForMs } = await reader.read(token);
      const credentials = credentialsOf(grant);
      if (goodForMs > 0) remembered.set(header, credentials, { ttl: goodForMs });
      return credentials;
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === "unauthorized")) throw error;
      onFailure();
      await limiter.consume(address).catch((attempts) => {
        throw tooManyAttempts(attempts);
      });
      throw error;
    }
  }

  async function refuseAfterManyWrong(address: string): Promise<void> {
    const attempts = await limiter.get(address);
    if (attempts !== null && attempts.remainingPoints <= 0) throw tooManyAttempts(attempts);
  }
}

function tooManyAttempts({ msBeforeNext }: RateLimiterRes): ServiceError {
  const message = "too many wrong tokens from this address; try again later";
  const seconds = String(Math.ceil(msBeforeNext / 1_000));
  return new ServiceError("too-many-attempts", message, { headers: { "retry-after": seconds } });
}
