import type { Request, RouteOptionsAccess } from "@hapi/hapi";
import { type Grant, partsWith, type Scope, scopesAllowing, unlimited } from "../model/grant.ts";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** Everything that the caller may do. */
    grant?: Grant;
  }
}

/** The access of a route that takes a token with this scope, and no session. */
export function forTokens(scope: Exclude<Scope, "admin">): RouteOptionsAccess {
  return { access: { scope: scopesAllowing(scope) } };
}

/** The access of a route that takes a token or a session with this scope. */
export function forPeople(scope: Exclude<Scope, "admin">): RouteOptionsAccess {
  return { strategy: "session", ...forTokens(scope) };
}

/** The access of a route of the read API. */
export const forReaders: RouteOptionsAccess = forPeople("read");

/** The access of a route that takes a token with the scope `admin`, and no session. */
export const forAdmins: RouteOptionsAccess = { access: { scope: ["admin"] } };

/** The grant of the caller of a request, with only the parts that allow its route. */
export function grantOf(request: Request): Grant {
  const grant = wholeGrantOf(request);
  const [{ scope } = {}] = request.route.settings.auth?.access ?? [];
  return scope ? partsWith(grant, scope.selection ?? []) : grant;
}

/** The grant of the caller of a request with all its parts. */
export function wholeGrantOf(request: Request): Grant {
  return request.auth.credentials.grant ?? unlimited;
}

/** Whether the caller of a request has signed in, and sent no token. */
export function hasSession(request: Request): boolean {
  return wholeGrantOf(request) !== unlimited && request.raw.req.headers.authorization === undefined;
}
