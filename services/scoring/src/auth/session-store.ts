import { randomBytes } from "node:crypto";
import { ServiceError } from "../model/errors.ts";
import { scopesAllowing } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import { withStore } from "../store/failures.ts";
import { deleteSession, findSessions, insertSession, type Session } from "./sessions.ts";
import { hashToken } from "./token.ts";
import { type ReadToken, shareLookUps, unauthorized } from "./token-reader.ts";

/** A session that was just opened, with the value of its cookie, which is sent this once. */
export interface OpenedSession extends Session {
  readonly cookie: string;
}

/** Opens, finds and closes sessions. They live in the database, so every instance knows the same ones. */
export interface SessionStore {
  /**
   * Opens a session for the holder of a token.
   *
   * @throws ServiceError `forbidden` if the token does not allow reading, and whatever reading the token throws
   */
  open(token: string): Promise<OpenedSession>;
  /** The session of a cookie, or undefined if it is unknown or over, as it is once its token is revoked. */
  find(cookie: string): Promise<Session | undefined>;
  close(cookie: string): Promise<void>;
}

/**
 * Unlike the grants of tokens, nothing about sessions is remembered from one request to the next. So the first request
 * after a revocation is refused, and the look-ups of all requests that wait share one statement.
 *
 * @param readToken finds out what a token grants
 */
export function createSessionStore({ knex }: Database, readToken: (token: string) => Promise<ReadToken>): SessionStore {
  const lookUp = shareLookUps((hashes) => findSessions(knex, hashes));
  return {
    async open(token) {
      const { grant, id, expiresAt } = await readToken(token);
      if (!scopesAllowing("read").some((scope) => grant.scopes.includes(scope))) {
        throw new ServiceError("forbidden", "this token may not read; it needs the scope read");
      }
      const cookie = randomBytes(32).toString("base64url");
      const stored = { hash: hashToken(cookie), holder: grant, tokenId: id, expiresAt };
      const until = await withStore(() => insertSession(knex, stored));
      if (!until) throw unauthorized("the token has expired");
      return { cookie, grant: { ...grant, scopes: ["read"] }, expiresAt: until };
    },
    find: (cookie) => lookUp(hashToken(cookie)),
    close: (cookie) => withStore(() => deleteSession(knex, hashToken(cookie))),
  };
}
