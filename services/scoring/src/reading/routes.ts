import type { ServerRoute } from "@hapi/hapi";
import type { Streams } from "../lists/streams.ts";
import type { DetailSources } from "./app-details.ts";
import { appsRoute } from "./apps.ts";
import { auditRoute } from "./audit.ts";
import { areasRoute, teamsRoute } from "./averages.ts";
import { levelsRoute } from "./levels.ts";
import { metricAveragesRoute } from "./metric-averages.ts";
import { problemTimesRoute, problemWeeksRoute } from "./problem-times.ts";
import { problemsListRoute } from "./problems.ts";
import type { RollUpSources } from "./roll-up-list.ts";
import { scorecardsRoute } from "./scorecards.ts";
import { scoresListRoute } from "./scores.ts";
import { searchRoute } from "./search.ts";
import { whoAmIRoute } from "./whoami.ts";

interface ReadingDependencies extends DetailSources {
  readonly sources: RollUpSources;
  readonly streams: Streams;
}

/** The routes that list stored scores, problems and the audit. */
export function readingRoutes({ sources, streams, ...stored }: ReadingDependencies): ServerRoute[] {
  const { engine, rules, database } = stored;
  return [
    areasRoute(engine, sources, streams),
    teamsRoute(engine, sources, streams),
    appsRoute({ ...stored, sources }, streams),
    levelsRoute(rules.levels, sources.rollUps, streams),
    metricAveragesRoute(sources.rollUps, streams),
    scoresListRoute(stored, streams),
    problemsListRoute(database, streams),
    problemTimesRoute(database, streams),
    problemWeeksRoute(database, streams),
    scorecardsRoute(engine, streams),
    auditRoute(database, streams),
    searchRoute(database, sources.rollUps, streams),
    whoAmIRoute,
  ];
}
