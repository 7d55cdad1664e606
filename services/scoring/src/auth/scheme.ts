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

/** Callers that are remembered, so that most requests cost no more than finding them. */
const maxRemembered = 10_000;

/** How callers are told apart. */
export interface AuthDependencies {
  readonly mode: AuthMode;
  readonly database: Database;
  /** Needed where the mode has `oidc`. */
  readonly oidc?: OidcConfig | undefined;
  /** Told of every request that is answered with 401, and why. */
  onRefusal(request: Request, reason: string): void;
}

/** Makes every route ask for a grant, except those that set `auth: false`. */
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

/** As hapi compares them with what a route asks for. */
function credentialsOf(grant: Grant): AuthCredentials {
  return Object.freeze({ grant, scope: [...grant.scopes] });
}

/**
 * Nothing is kept of callers that are refused, and what one sends never counts against another: from behind a proxy, or as
 * jobs of the same CI, callers with good tokens share their address with anybody.
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
