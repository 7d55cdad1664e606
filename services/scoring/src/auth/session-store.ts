import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { ServiceError } from "../model/errors.ts";
import { partsWith, scopesAllowing } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import { withStore } from "../store/failures.ts";
import { executeOnce } from "../store/idempotency-keys.ts";
import type { Logout } from "./identity-provider.ts";
import type { Person } from "./person.ts";
import {
  deleteSession,
  endSessionsOf,
  findSessions,
  insertSession,
  type NewSession,
  type Session,
} from "./sessions.ts";
import type { SignIn } from "./sign-in-config.ts";
import { hashToken } from "./token.ts";
import { type ReadToken, shareLookUps, unauthorized } from "./token-reader.ts";

/** A new session with the value of its cookie, which is shown only here. */
export interface OpenedSession extends Session {
  readonly cookie: string;
}

/** Opens, finds and closes sessions. They are stored in the database, so that all instances share them. */
export interface SessionStore {
  /**
   * Opens a session for the holder of a token.
   *
   * @throws ServiceError `forbidden` if the token does not allow reading, and errors of reading the token
   */
  open(token: string): Promise<OpenedSession>;
  /** Opens a session for a person who has signed in. */
  openFor(person: Person): Promise<OpenedSession>;
  /** The session of a cookie; undefined if it is unknown or expired, or its token was revoked. */
  find(cookie: string): Promise<Session | undefined>;
  close(cookie: string): Promise<void>;
  /** Ends the sessions that a logout at the provider is about. A logout counts once. */
  end(logout: Logout): Promise<void>;
}

/**
 * Creates the store. Sessions are not cached, so that the first request after a revocation is refused; concurrent
 * look-ups share one statement.
 *
 * @param readToken finds the grant of a token
 * @param signIn how people sign in, if they can
 */
export function createSessionStore(
  { knex }: Database,
  readToken: (token: string) => Promise<ReadToken>,
  signIn: Pick<SignIn, "issuer" | "version"> | undefined,
): SessionStore {
  const findSession = shareLookUps((hashes) => findSessions(knex, hashes, signIn?.version));

  async function store(session: Omit<NewSession, "hash">): Promise<OpenedSession> {
    const cookie = randomBytes(32).toString("base64url");
    const until = await withStore(() => insertSession(knex, { ...session, hash: hashToken(cookie) }));
    if (!until) throw unauthorized("the token has expired");
    return { cookie, grant: session.grant, expiresAt: until };
  }

  return {
    async open(token) {
      const { grant, id, expiresAt } = await readToken(token);
      const { parts } = partsWith(grant, scopesAllowing("read"));
      if (parts.length === 0) throw new ServiceError("forbidden", "this token may not read; it needs the scope read");
      const reading = { ...grant, parts: parts.map((part) => ({ ...part, scopes: ["read"] as const })) };
      return store({ grant: reading, tokenId: id, expiresAt });
    },
    openFor: ({ grant, sid }) => store({ grant, sid, ...(signIn && { rules: signIn.version }), expiresAt: null }),
    find: (cookie) => findSession(hashToken(cookie)),
    close: (cookie) => withStore(() => deleteSession(knex, hashToken(cookie))),
    async end({ id, subject, sid }) {
      const issuer = signIn?.issuer ?? "";
      const key = hashToken(JSON.stringify(["logout", issuer, id]));
      const ended = { issuer, sid, caller: JSON.stringify([issuer, subject]) };
      const once = (trx: Knex.Transaction) =>
        executeOnce(trx, { id: key, request: key }, async () => {
          await endSessionsOf(trx, ended);
          return {};
        });
      await withStore(() => knex.transaction(once));
    },
  };
}
