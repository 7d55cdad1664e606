import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type { Unregistered } from "../model/unregistered.ts";
import type { Database } from "../store/database.ts";
import { createProblemWriter } from "../store/writing/problem-writer.ts";
import { createScoreWriter } from "../store/writing/score-writer.ts";
import { type ProblemDependencies, problemRoute } from "./problem.ts";
import { scoreRoute } from "./score.ts";
import { scoresRoute } from "./scores.ts";

interface ReportDependencies extends Pick<ProblemDependencies, "announceProblem"> {
  readonly engine: Engine;
  readonly database: Database;
  /** For how many days changes of scores are recorded. */
  readonly historyDays: number;
  readonly unregistered: Unregistered;
  /** Whether changed scores are noted, so that what follows from them is announced. */
  readonly announces: boolean;
}

/** The routes by which scores and problems are reported. */
export function reportRoutes({
  engine,
  database,
  historyDays,
  unregistered,
  announces,
  announceProblem,
}: ReportDependencies): ServerRoute[] {
  const saveScores = createScoreWriter(database.knex, historyDays, unregistered, announces);
  const { knex } = database;
  return [
    scoreRoute({ engine, saveScores, knex }),
    scoresRoute({ engine, saveScores, knex }),
    problemRoute({ saveProblem: createProblemWriter(knex, unregistered), announceProblem }),
  ];
}
