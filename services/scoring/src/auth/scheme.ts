import type { AuthCredentials, Request, Server } from "@hapi/hapi";
import { LRUCache } from "lru-cache";
import { ServiceError } from "../model/errors.ts";
import { type AuthMode, type Grant, unlimited } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import { idTokens } from "./id-token.ts";
import type { OidcConfig } from "./oidc-config.ts";
import { accessTokens, type TokenReader, unauthorized, unknownToken } from "./token-reader.ts";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** What the caller may do. */
    grant?: Grant;
  }
}

/** Number of callers that are remembered, so that most requests need no look-up. */
const maxRemembered = 10_000;

/** The dependencies of authentication. */
export interface AuthDependencies {
  readonly mode: AuthMode;
  readonly database: Database;
  /** Needed if the mode has `oidc`. */
  readonly oidc?: OidcConfig | undefined;
  /** Called for every request that is answered with 401, with the reason. */
  onRefusal(request: Request, reason: string): void;
}

/** Requires a grant for every route, except for routes with `auth: false`. */
export function registerAuth(server: Server, deps: AuthDependencies): void {
  const everybody = credentialsOf(unlimited);
  const authenticate = deps.mode === "none" ? () => everybody : authenticator(readersOf(deps));
  server.auth.scheme("grant", () => ({
    authenticate(request, h) {
      const found = authenticate(request.raw.req.headers.authorization);
      if (!(found instanceof Promise)) return h.authenticated({ credentials: found });
      return found.then(
        (credentials) => h.authenticated({ credentials }),
        (error) => {
          if (error instanceof ServiceError && error.code === "unauthorized") deps.onRefusal(request, error.message);
          throw error;
        },
      );
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

/** The form in which hapi compares a grant with the scopes of a route. */
function credentialsOf(grant: Grant): AuthCredentials {
  return Object.freeze({ grant, scope: [...grant.scopes] });
}

/**
 * Identifies callers. Nothing is remembered about refused callers, and no caller is blocked because of another one:
 * callers behind the same proxy, or jobs of the same CI, share their address.
 */
function authenticator(
  readers: readonly TokenReader[],
): (header: string | undefined) => AuthCredentials | Promise<AuthCredentials> {
  const remembered = new LRUCache<string, AuthCredentials>({ max: maxRemembered, ttlResolution: 100 });

  async function identify(header: string): Promise<AuthCredentials> {
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) throw unauthorized("send a token as authorization: Bearer …");
    const reader = readers.find(({ recognises }) => recognises(token));
    if (!reader) throw unknownToken();
    const { grant, goodForMs } = await reader.read(token);
    const credentials = credentialsOf(grant);
    if (goodForMs > 0) remembered.set(header, credentials, { ttl: goodForMs });
    return credentials;
  }

  return (header = "") => remembered.get(header) ?? identify(header);
}
