import type { ServerRoute } from "@hapi/hapi";
import type { ChangesSources } from "./changes.ts";
import { changesRoute } from "./changes-list.ts";
import { historyRoute } from "./history-list.ts";

/** The routes of the history. */
export function historyRoutes(deps: ChangesSources): ServerRoute[] {
  return [historyRoute(deps), changesRoute(deps)];
}
