import type { ServerRoute } from "@hapi/hapi";
import { pageRoutes } from "./page.ts";
import { type SessionDependencies, sessionRoutes } from "./session.ts";

/** The Board: a page over the read API, and the session by which it reads. */
export function boardRoutes(directory: URL, deps: SessionDependencies): ServerRoute[] {
  return [...pageRoutes(directory), ...sessionRoutes(deps)];
}
