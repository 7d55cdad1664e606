import type { Request, RouteOptionsAccess } from "@hapi/hapi";
import { type Grant, partsWith, scopesAllowing, unlimited } from "../model/grant.ts";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** Everything that the caller may do. */
    grant?: Grant;
  }
}

/** The access of a route of the read API: a token with the scope `read`, or a session of the Board. */
export const forReaders: RouteOptionsAccess = { strategy: "session", access: { scope: scopesAllowing("read") } };

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
