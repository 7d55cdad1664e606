import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type { Streams } from "../lists/streams.ts";
import type { Database } from "../store/database.ts";
import { changesRoute } from "./changes-list.ts";
import { historyRoute } from "./history-list.ts";

/** The routes by which the past is read. */
export function historyRoutes(
  deps: { engine: Engine; database: Database; historyDays: number },
  streams: Streams,
): ServerRoute[] {
  return [historyRoute(deps, streams), changesRoute(deps, streams)];
}
