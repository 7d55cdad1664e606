import type { ServerRoute } from "@hapi/hapi";
import { changeTotalsRoute } from "./change-totals-list.ts";
import { type ChangesSources, createChangesReader } from "./changes.ts";
import { changesRoute } from "./changes-list.ts";
import { historyRoute } from "./history-list.ts";

/** The routes of the history. */
export function historyRoutes(deps: ChangesSources): ServerRoute[] {
  const read = createChangesReader(deps);
  return [historyRoute(deps), changesRoute(read), changeTotalsRoute(read)];
}
