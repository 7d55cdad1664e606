import type { ServerRoute } from "@hapi/hapi";
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

/** The routes that list stored scores, problems and the audit. */
export function readingRoutes({ sources, ...stored }: DetailSources & { sources: RollUpSources }): ServerRoute[] {
  const { engine, rules, database } = stored;
  return [
    areasRoute(engine, sources),
    teamsRoute(engine, sources),
    appsRoute({ ...stored, sources }),
    levelsRoute(rules.levels, sources.rollUps),
    metricAveragesRoute(sources.rollUps),
    scoresListRoute(stored),
    problemsListRoute(database),
    problemTimesRoute(database),
    problemWeeksRoute(database),
    scorecardsRoute(stored),
    auditRoute(database),
    searchRoute(database, sources.rollUps),
    whoAmIRoute,
  ];
}
