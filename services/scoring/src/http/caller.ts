import type { Request, RouteOptionsAccess } from "@hapi/hapi";
import { type Grant, scopesAllowing, unlimited } from "../model/grant.ts";

declare module "@hapi/hapi" {
  interface AuthCredentials {
    /** What the caller may do. */
    grant?: Grant;
    /** As `ReadToken.caller`. */
    caller?: string;
  }
}

/** The access of a route of the read API: a token with the scope `read`, or a session of the Board. */
export const forReaders: RouteOptionsAccess = { strategy: "session", access: { scope: scopesAllowing("read") } };

/** The access of a route that takes a token with the scope `admin`, and no session. */
export const forAdmins: RouteOptionsAccess = { access: { scope: ["admin"] } };

/** What the caller of this request may do. */
export function grantOf(request: Request): Grant {
  return request.auth.credentials.grant ?? unlimited;
}

/** Distinguishes this caller from all others. Without authentication there is only one. */
export function callerOf(request: Request): string {
  return request.auth.credentials.caller ?? unlimited.name;
}
