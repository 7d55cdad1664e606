import { randomBytes } from "node:crypto";
import { ServiceError } from "../model/errors.ts";
import { partsWith, scopesAllowing } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import { withStore } from "../store/failures.ts";
import { deleteSession, findSessions, insertSession, type Session } from "./sessions.ts";
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
  /** The session of a cookie; undefined if it is unknown or expired, or its token was revoked. */
  find(cookie: string): Promise<Session | undefined>;
  close(cookie: string): Promise<void>;
}

/**
 * Creates the store. Sessions are not cached, so that the first request after a revocation is refused; concurrent
 * look-ups share one statement.
 *
 * @param readToken finds the grant of a token
 */
export function createSessionStore({ knex }: Database, readToken: (token: string) => Promise<ReadToken>): SessionStore {
  const lookUp = shareLookUps((hashes) => findSessions(knex, hashes));
  return {
    async open(token) {
      const { grant, id, expiresAt } = await readToken(token);
      const { parts } = partsWith(grant, scopesAllowing("read"));
      if (parts.length === 0) throw new ServiceError("forbidden", "this token may not read; it needs the scope read");
      const reading = { ...grant, parts: parts.map((part) => ({ ...part, scopes: ["read"] as const })) };
      const cookie = randomBytes(32).toString("base64url");
      const stored = { hash: hashToken(cookie), grant: reading, tokenId: id, expiresAt };
      const until = await withStore(() => insertSession(knex, stored));
      if (!until) throw unauthorized("the token has expired");
      return { cookie, grant: reading, expiresAt: until };
    },
    find: (cookie) => lookUp(hashToken(cookie)),
    close: (cookie) => withStore(() => deleteSession(knex, hashToken(cookie))),
  };
}
