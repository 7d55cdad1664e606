import type { Lifecycle, Request, ResponseObject, ResponseToolkit, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { requireSameOrigin } from "../auth/same-origin.ts";
import { cameOverTls, sessionIn, setCookie } from "../auth/session-cookie.ts";
import type { SessionStore } from "../auth/session-store.ts";
import type { Session } from "../auth/sessions.ts";
import type { SignIn } from "../auth/sign-in-config.ts";
import { handleObject, inSlot, jsonPayload, noPayload } from "../http/body.ts";
import { ServiceError } from "../model/errors.ts";
import { strict, validated } from "../model/fields.ts";
import { shownGrant } from "../model/grant.ts";
import { unlisted } from "../openapi/operation.ts";

/** The dependencies of the routes. */
export interface SessionDependencies {
  /** Undefined if no route needs a token. */
  readonly sessions: SessionStore | undefined;
  /** How people sign in, if they can. */
  readonly signIn: Pick<SignIn, "public_url"> | undefined;
  /** Called for each token that is refused, with the reason. */
  onWrongToken(request: Request, reason: string): void;
}

const path = "/board/session";

const body = Joi.object<{ token: string }>({ token: Joi.string().max(8_192).required() }).prefs(strict);

/**
 * The session of the Board: POST exchanges a token for a cookie, DELETE ends the session, and GET returns the session and
 * whether the Board needs one. All three have the same answer. They are for the Board alone, and not part of the API.
 */
export function sessionRoutes(deps: SessionDependencies): ServerRoute[] {
  const { sessions, signIn } = deps;
  const ownPage: Lifecycle.Method = ({ raw }, h) => {
    requireSameOrigin(raw.req.headers, signIn?.public_url);
    return h.continue;
  };
  const onlyOfOwnPage = { ...unlisted, ext: { onPreAuth: { method: ownPage } } } as const;
  const answer = (h: ResponseToolkit, session?: Session): ResponseObject =>
    h
      .response({ required: sessions !== undefined, sign_in: signIn !== undefined, session: shown(session) })
      .header("cache-control", "no-store");

  async function find({ raw }: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const cookie = sessionIn(raw.req.headers, signIn?.public_url);
    return answer(h, cookie === undefined ? undefined : await sessions?.find(cookie));
  }

  async function open(given: object, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const { token } = validated(body, given);
    if (!sessions) return answer(h);
    if (signIn) throw new ServiceError("forbidden", "the Board takes no token here: sign in");
    const opened = await sessions.open(token).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === "unauthorized") deps.onWrongToken(request, error.message);
      throw error;
    });
    const ttl = opened.expiresAt.getTime() - Date.now();
    return setCookie(answer(h, opened), {
      ...{ name: "maturity_session", value: opened.cookie, ttl },
      overTls: cameOverTls(request.raw.req.headers),
    });
  }

  const close = (request: Request, h: ResponseToolkit): Promise<ResponseObject> =>
    inSlot(request, async () => {
      const { headers } = request.raw.req;
      const cookie = sessionIn(headers, signIn?.public_url);
      if (cookie !== undefined) await sessions?.close(cookie);
      return setCookie(answer(h), { name: "maturity_session", overTls: cameOverTls(headers, signIn?.public_url) });
    });
  return [
    { method: "GET", path, options: unlisted, handler: find },
    { method: "POST", path, options: { ...onlyOfOwnPage, payload: jsonPayload }, handler: handleObject(open) },
    { method: "DELETE", path, options: { ...onlyOfOwnPage, payload: noPayload }, handler: close },
  ];
}

function shown(session: Session | undefined): object | null {
  if (!session) return null;
  const { grant, expiresAt } = session;
  return { ...shownGrant(grant), expires_at: expiresAt, kind: grant.issuer === undefined ? "token" : "sign_in" };
}
