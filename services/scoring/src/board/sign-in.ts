import type { IncomingHttpHeaders } from "node:http";
import type { Request, ResponseObject, ResponseToolkit, ServerRoute } from "@hapi/hapi";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import type { Logger } from "pino";
import { createIdentityProvider } from "../auth/identity-provider.ts";
import { compilePeople } from "../auth/person.ts";
import { requireBoard } from "../auth/same-origin.ts";
import { cameOverTls, cookieIn, sessionIn, setCookie } from "../auth/session-cookie.ts";
import type { SessionStore } from "../auth/session-store.ts";
import { type Attempt, attemptS, createSeal } from "../auth/sign-in-attempt.ts";
import type { SignIn } from "../auth/sign-in-config.ts";
import { viewAt } from "../auth/views.ts";
import { inSlot, noPayload } from "../http/body.ts";
import { deadlineOf } from "../http/deadline.ts";
import { slotOf } from "../http/limits.ts";
import { reasonOf } from "../model/errors.ts";
import { unlisted } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { createQueue } from "../store/queue.ts";
import { type Page, respondWithPage } from "./sign-in-page.ts";
import { expired, failurePage, failureReason, nobody, noView, shownGroups, unknown } from "./sign-in-pages.ts";

/** The dependencies of the routes. */
export interface SignInDependencies {
  readonly signIn: SignIn;
  readonly sessions: SessionStore;
  readonly database: Database;
  readonly logger: Logger;
}

/** The largest number of people and logouts that wait for the provider. It may be slow, and others must not wait for it. */
const maxAtProvider = 100;

/**
 * The routes by which people sign in and out. They are for browsers and the provider, and not part of the API: GET /sign-in
 * leads to the provider, GET /sign-in/callback back to the view, POST /sign-out ends the session, and the provider itself
 * ends sessions with POST /sign-in/back-channel.
 */
export function signInRoutes({ signIn, sessions, database, logger }: SignInDependencies): ServerRoute[] {
  const { public_url: publicUrl } = signIn;
  const provider = createIdentityProvider(signIn);
  const seal = createSeal(database);
  const personOf = compilePeople(signIn);
  const queue = createQueue({ atOnce: maxAtProvider });

  /** Does work outside the slots of other requests, since it waits for the provider. */
  function atProvider<Result>({ raw }: Request, work: () => Promise<Result>): Promise<Result> {
    slotOf(raw.req).end();
    return queue.run(deadlineOf(raw.req).signal, work);
  }

  async function begin(request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const { headers } = request.raw.req;
    const to = viewAt(String(request.query.to ?? "board/"));
    if (to === undefined) return respondWithPage(h, noView, "");
    const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), to };
    try {
      return await atProvider(request, async () => {
        const url = await provider.signInUrl(attempt, callbackAt(headers));
        const sealed = await seal.close(attempt);
        return setAttempt(h.redirect(url.href).header("cache-control", "no-store"), headers, sealed);
      });
    } catch (error) {
      return respondWithPage(h, failed(error, to), "");
    }
  }

  async function finish(request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const { headers } = request.raw.req;
    const sealed = cookieIn(headers, "maturity_sign_in", cameOverTls(headers, publicUrl));
    const opened = sealed === undefined ? undefined : await seal.open(sealed);
    if (opened === undefined) return respondWithPage(h, unknown(), "../");
    const { attempt, isExpired } = opened;
    if (isExpired) return respondWithPage(h, expired(attempt.to), "../");
    if (request.query.state !== attempt.state) return respondWithPage(h, unknown(attempt.to), "../");
    try {
      return setAttempt(await atProvider(request, () => open(request, h, attempt)), headers);
    } catch (error) {
      return setAttempt(respondWithPage(h, failed(error, attempt.to), "../"), headers);
    }
  }

  /** Opens a session for the person that the provider names. */
  async function open({ raw, url }: Request, h: ResponseToolkit, attempt: Attempt): Promise<ResponseObject> {
    const callback = new URL(callbackAt(raw.req.headers));
    callback.search = url.search;
    const person = personOf(await provider.claims(attempt, callback));
    const { grant, refused } = person;
    if (refused.length > 0) {
      logger.warn({ person: grant.name, names: shownGroups(refused) }, "names in the claims of a person grant nothing");
    }
    if (grant.parts.length === 0) {
      const groups = shownGroups(person.groups);
      logger.warn({ person: grant.name, groups }, "no rule of sign_in is for this person");
      return respondWithPage(h, nobody(grant.name, groups, signIn.contact), "../");
    }
    if (person.leftOut > 0) {
      logger.warn({ person: grant.name, grants: person.leftOut }, "so many grants of a person are left out");
    }
    const { cookie, expiresAt } = await sessions.openFor(person);
    logger.info({ person: grant.name, rules: [...new Set(grant.parts.map(({ rule }) => rule))] }, "signed in");
    return setCookie(h.redirect(`../${attempt.to}`).header("cache-control", "no-store"), {
      ...{ name: "maturity_session", value: cookie, ttl: expiresAt.getTime() - Date.now() },
      overTls: cameOverTls(raw.req.headers, publicUrl),
    });
  }

  async function signOut(request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const { headers } = request.raw.req;
    requireBoard(headers, publicUrl);
    const cookie = sessionIn(headers, publicUrl);
    if (cookie !== undefined) await inSlot(request, () => sessions.close(cookie));
    const location = await atProvider(request, () => provider.signOutUrl(`${baseOf(headers)}/board/`)).catch(
      (error) => {
        logger.warn({ reason: reasonOf(error) }, "the provider does not say where its session ends");
        return undefined;
      },
    );
    const response = h.response({ location: location?.href ?? null }).header("cache-control", "no-store");
    return setCookie(response, { name: "maturity_session", overTls: cameOverTls(headers, publicUrl) });
  }

  async function backChannel(request: Request, h: ResponseToolkit): Promise<ResponseObject> {
    const { logout_token: token } = (request.payload ?? {}) as Readonly<Record<string, unknown>>;
    const logout = await atProvider(request, () => provider.readLogout(String(token)));
    await inSlot(request, () => sessions.end(logout));
    return h.response("").code(200).header("cache-control", "no-store");
  }

  function failed(error: unknown, to: string): Page {
    logger.warn({ reason: failureReason(error) }, "signing in failed");
    return failurePage(error, to);
  }

  function setAttempt(response: ResponseObject, headers: IncomingHttpHeaders, value?: string): ResponseObject {
    const overTls = cameOverTls(headers, publicUrl);
    return setCookie(response, {
      ...{ name: "maturity_sign_in", overTls },
      ...(value !== undefined && { value, ttl: attemptS * 1_000 }),
    });
  }

  /** The address of the service for browsers, without `/` at its end. */
  function baseOf(headers: IncomingHttpHeaders): string {
    return publicUrl ?? `${cameOverTls(headers) ? "https" : "http"}://${headers.host}`;
  }

  const callbackAt = (headers: IncomingHttpHeaders) => `${baseOf(headers)}/sign-in/callback`;

  return [
    { method: "GET", path: "/sign-in", options: unlisted, handler: begin },
    { method: "GET", path: "/sign-in/callback", options: unlisted, handler: finish },
    {
      ...{ method: "POST", path: "/sign-out", handler: signOut },
      options: { ...unlisted, payload: noPayload },
    },
    {
      ...{ method: "POST", path: "/sign-in/back-channel", handler: backChannel },
      options: { ...unlisted, payload: { allow: "application/x-www-form-urlencoded", maxBytes: 16_384 } },
    },
  ];
}
