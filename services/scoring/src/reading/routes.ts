import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type { Streams } from "../lists/streams.ts";
import type { Database } from "../store/database.ts";
import { appsRoute } from "./apps.ts";
import { areasRoute, teamsRoute } from "./averages.ts";
import { createPastReader } from "./past.ts";
import { problemsListRoute } from "./problems.ts";
import { createRollUpReader } from "./roll-ups.ts";
import { scorecardsRoute } from "./scorecards.ts";
import { scoresListRoute } from "./scores.ts";
import { whoAmIRoute } from "./whoami.ts";

/** The routes by which stored scores and problems are read. */
export function readingRoutes(deps: { engine: Engine; database: Database; streams: Streams }): ServerRoute[] {
  const { engine, database, streams } = deps;
  const sources = { rollUps: createRollUpReader(database, engine), past: createPastReader(database) };
  return [
    areasRoute(sources, streams),
    teamsRoute(sources, streams),
    appsRoute({ engine, database, sources }, streams),
    scoresListRoute({ engine, database }, streams),
    problemsListRoute(database, streams),
    scorecardsRoute(engine, streams),
    whoAmIRoute,
  ];
}
