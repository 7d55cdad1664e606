import type { ServerRoute } from "@hapi/hapi";
import type { Streams } from "../lists/streams.ts";
import type { ChangesSources } from "./changes.ts";
import { changesRoute } from "./changes-list.ts";
import { historyRoute } from "./history-list.ts";

/** The routes of the history. */
export function historyRoutes(deps: ChangesSources, streams: Streams): ServerRoute[] {
  return [historyRoute(deps, streams), changesRoute(deps, streams)];
}
