import type { AuthCredentials, Request, Server } from "@hapi/hapi";
import { LRUCache } from "lru-cache";
import { deadlineOf, whileAwaited } from "../http/deadline.ts";
import { ServiceError } from "../model/errors.ts";
import { type AuthMode, type Grant, scopesOf, unlimited } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import { createQueue } from "../store/queue.ts";
import { idTokens } from "./id-token.ts";
import type { OidcConfig } from "./oidc-config.ts";
import { requireBoard, requireShownPerson } from "./same-origin.ts";
import { sessionIn } from "./session-cookie.ts";
import { createSessionStore, type SessionStore } from "./session-store.ts";
import type { Session } from "./sessions.ts";
import { accessTokens, type ReadToken, type TokenReader, unauthorized, unknownToken } from "./token-reader.ts";
import { createWriteLimit } from "./write-limit.ts";

/** The largest number of callers whose credentials are cached, so that most requests need no look-up. */
const maxRemembered = 10_000;

/**
 * The largest number of callers that wait for their identification. A working database answers all of them together
 * within milliseconds, so they wait only if it does not answer.
 */
const maxUnidentified = 4_000;

/** The largest number of changes of a person within a minute. */
const maxWrites = 300;

/** The dependencies of authentication. */
export interface AuthDependencies {
  readonly mode: AuthMode;
  /** Whether some routes accept a session. */
  readonly takesSessions: boolean;
  readonly database: Database;
  /** Needed if the mode has `oidc`. */
  readonly oidc?: OidcConfig | undefined;
  /** Called for every request that is answered with 401, with the reason. */
  onRefusal(request: Request, reason: string): void;
}

/**
 * Requires a grant for every route, except for routes with `auth: false`. A route accepts sessions only if it asks for
 * them.
 *
 * @returns the sessions, or undefined if there are none
 */
export function registerAuth(server: Server, deps: AuthDependencies): SessionStore | undefined {
  const identification = deps.mode === "none" ? undefined : createIdentification(readersOf(deps));
  const signIn = deps.oidc?.signIn;
  const sessions =
    identification && deps.takesSessions ? createSessionStore(deps.database, identification.read, signIn) : undefined;
  const limitWrites = createWriteLimit(maxWrites);
  const queue = createQueue({ atOnce: maxUnidentified });

  async function identify<Found>(request: Request, find: () => Promise<Found>): Promise<Found> {
    const { signal } = deadlineOf(request.raw.req);
    try {
      return await whileAwaited(queue.run(signal, find), signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "unauthorized") deps.onRefusal(request, error.message);
      throw error;
    }
  }

  async function identifySession(request: Request, store: SessionStore, cookie: string): Promise<AuthCredentials> {
    const isWrite = request.method !== "get" && request.method !== "head";
    if (isWrite) requireBoard(request.raw.req.headers, signIn?.public_url);
    const { grant } = await identify(request, () => findSession(store, cookie));
    requireShownPerson(request.raw.req.headers, grant.name);
    if (isWrite) limitWrites(grant.caller);
    return credentialsOf(grant);
  }

  server.auth.scheme("grant", (_, { takesSessions = false }: { takesSessions?: boolean } = {}) => ({
    async authenticate(request, h) {
      const { headers } = request.raw.req;
      const { authorization = "" } = headers;
      const session =
        takesSessions && headers.authorization === undefined ? sessionIn(headers, signIn?.public_url) : undefined;
      if (!identification) return h.authenticated({ credentials: everybody });
      const credentials =
        sessions && session !== undefined
          ? await identifySession(request, sessions, session)
          : (identification.remembered(authorization) ??
            (await identify(request, () => identification.identify(authorization))));
      return h.authenticated({ credentials });
    },
  }));
  server.auth.strategy("grant", "grant");
  server.auth.strategy("session", "grant", { takesSessions: true });
  server.auth.default("grant");
  return sessions;
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

/** Credentials in the form in which hapi compares a grant with the scopes of a route. */
function credentialsOf(grant: Grant): AuthCredentials {
  return Object.freeze({ grant, scope: [...scopesOf(grant)] });
}

const everybody = credentialsOf(unlimited);

async function findSession(sessions: SessionStore, cookie: string): Promise<Session> {
  const session = await sessions.find(cookie);
  if (!session) throw unauthorized("the session is over; sign in again");
  return session;
}

/**
 * Identifies callers. Refused callers are not cached, and none is blocked because of another: callers behind the same
 * proxy, or jobs of the same CI, share their address.
 */
function createIdentification(readers: readonly TokenReader[]) {
  const remembered = new LRUCache<string, AuthCredentials>({ max: maxRemembered, ttlResolution: 100 });

  /** @throws ServiceError if the token is invalid, or its check failed */
  async function read(token: string): Promise<ReadToken> {
    const reader = readers.find(({ recognises }) => recognises(token));
    if (!reader) throw unknownToken();
    return reader.read(token);
  }

  /** Identifies the caller with a header `Authorization`. @throws as `read` */
  async function identify(header: string): Promise<AuthCredentials> {
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) throw unauthorized("send a token as authorization: Bearer …");
    const { grant, cacheMs } = await read(token);
    const credentials = credentialsOf(grant);
    if (cacheMs > 0) remembered.set(header, credentials, { ttl: cacheMs });
    return credentials;
  }

  return { read, identify, remembered: (header: string) => remembered.get(header) };
}
