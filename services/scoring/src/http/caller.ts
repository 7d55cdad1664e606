import type { Request, RouteOptionsAccess } from "@hapi/hapi";
import { type Grant, scopesAllowing, unlimited } from "../model/grant.ts";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** The scopes and bounds of the caller. */
    grant?: Grant;
    /** As `ReadToken.caller`. */
    caller?: string;
  }
}

/** The access of a route of the read API: a token with the scope `read`, or a session of the Board. */
export const forReaders: RouteOptionsAccess = { strategy: "session", access: { scope: scopesAllowing("read") } };

/** The access of a route that takes a token with the scope `admin`, and no session. */
export const forAdmins: RouteOptionsAccess = { access: { scope: ["admin"] } };

/** The scopes and bounds of the caller of a request. */
export function grantOf(request: Request): Grant {
  return request.auth.credentials.grant ?? unlimited;
}

/** A key of this caller. Without authentication all callers share one. */
export function callerOf(request: Request): string {
  return request.auth.credentials.caller ?? unlimited.name;
}
