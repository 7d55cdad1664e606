import type { Request, ResponseObject, ResponseToolkit, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { cameOverTls, cookieName, sessionIn } from "../auth/session-cookie.ts";
import type { OpenedSession, SessionStore } from "../auth/session-store.ts";
import type { Session } from "../auth/sessions.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { slotOf } from "../http/limits.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults, strict } from "../model/fields.ts";
import { shownGrant } from "../model/grant.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** The dependencies of the routes. */
export interface SessionDependencies {
  /** Undefined if no route needs a token. */
  readonly sessions: SessionStore | undefined;
  /** Called for each token that is refused, with the reason. */
  onWrongToken(request: Request, reason: string): void;
}

const path = "/board/session";

const body = Joi.object({ token: Joi.string().max(8_192).required() }).prefs(strict);

const unlisted = { auth: false, plugins: { openapi: false } } as const;

const fromThePage = { ...unlisted, ext: { onPreAuth: { method: requireSameOrigin } } } as const;

/**
 * The session of the Board: POST exchanges a token for a cookie, DELETE ends the session, and GET returns the session and
 * whether the Board needs one. All three have the same answer. They are for the Board alone, and not part of the API.
 */
export function sessionRoutes(deps: SessionDependencies): ServerRoute[] {
  const { sessions } = deps;
  const answer = (h: ResponseToolkit, session?: Session): ResponseObject =>
    h.response(answerOf(sessions !== undefined, session)).header("cache-control", "no-store");

  async function find({ raw }: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const cookie = sessionIn(raw.req.headers);
    return answer(h, cookie === undefined ? undefined : await sessions?.find(cookie));
  }

  async function open(given: object, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const token = tokenIn(given);
    if (!sessions) return answer(h);
    const opened = await openSession(sessions, token, (reason) => deps.onWrongToken(request, reason));
    const ttl = opened.expiresAt.getTime() - Date.now();
    return answer(h, opened).state(nameFor(request), opened.cookie, { ...cookieOptions(request), ttl });
  }

  async function close(request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const slot = slotOf(request.raw.req);
    await slot.begin();
    try {
      const cookie = sessionIn(request.raw.req.headers);
      if (cookie !== undefined) await sessions?.close(cookie);
      return answer(h).unstate(nameFor(request), cookieOptions(request));
    } finally {
      slot.end();
    }
  }

  return [
    { method: "GET", path, options: unlisted, handler: find },
    { method: "POST", path, options: { ...fromThePage, payload: jsonPayload }, handler: handleObject(open) },
    {
      method: "DELETE",
      path,
      options: { ...fromThePage, payload: { parse: false, output: "stream" } },
      handler: close,
    },
  ];
}

/** Reads the token of the body. @throws ServiceError `invalid-payload`, without the token in its message */
function tokenIn(given: object): string {
  const { value, error } = body.validate(given);
  if (error) throw invalidPayload(faults(error));
  return value.token;
}

/** Opens a session, and reports a refused token to `onWrongToken`. */
async function openSession(
  sessions: SessionStore,
  token: string,
  onWrongToken: (reason: string) => void,
): Promise<OpenedSession> {
  try {
    return await sessions.open(token);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthorized") onWrongToken(error.message);
    throw error;
  }
}

function answerOf(required: boolean, session: Session | undefined): object {
  if (!session) return { required, session: null };
  return { required, session: { ...shownGrant(session.grant), expires_at: session.expiresAt } };
}

function nameFor(request: Request): string {
  return cookieName(cameOverTls(request.raw.req.headers));
}

/**
 * The options of the cookie. Its path is `/`, because the Board reads routes such as `/areas`, and a proxy may add a prefix
 * that the service does not know.
 */
function cookieOptions(request: Request) {
  const isSecure = cameOverTls(request.raw.req.headers);
  return { isSecure, isHttpOnly: true, isSameSite: "Strict", path: "/", encoding: "none" } as const;
}
