import type { ServerRoute } from "@hapi/hapi";
import { type Engine, type Fault, MaturityError, type Score } from "@maturity/core";
import Joi from "joi";
import { invalidPayload, ServiceError } from "../errors.ts";
import { type Database, withStore } from "../store/database.ts";
import { type NewScore, saveScores } from "../store/scores.ts";
import { jsonPayload, readObject, unstorable } from "./body.ts";
import { faults, name, strict, target } from "./fields.ts";

/** The body of POST /score. What `raw` must hold depends on the metric. */
export const scoreBody: Joi.ObjectSchema = Joi.object({
  ...target,
  scorecard: Joi.string().max(200).required().description("Name of a registered scorecard"),
  metric: Joi.string().max(200).required().description("Name of one of its metrics"),
  raw: Joi.object().required().unknown().description("The raw result; its fields depend on the metric"),
  pipeline_id: name(200).description("The pipeline run that reports"),
  project_repo: name(2048).description("Address of the repository"),
}).prefs(strict);

/** POST /score: one raw result in, its score stored and out. */
export function scoreRoute({ engine, database }: { engine: Engine; database: Database }): ServerRoute {
  return {
    method: "POST",
    path: "/score",
    options: { payload: jsonPayload },
    async handler(request) {
      const scored = readScore(engine, readObject(request.payload));
      const reported_at = await withStore(() => saveScores(database.knex, [scored]));
      const { area, team, app, env, scorecard, metric, score, reasons, scorer } = scored;
      return { area, team, app, env, scorecard, metric, score, reasons, scorer, reported_at };
    },
  };
}

/**
 * Checks a submission and scores it.
 *
 * @throws MaturityError listing every fault of the body, those of `raw` included
 */
function readScore(engine: Engine, body: Record<string, unknown>): NewScore & Score {
  const { error } = scoreBody.validate(body);
  const submission = body as unknown as NewScore;
  if (error) {
    const found = faults(error);
    const paths = new Set(found.map(({ path }) => path));
    throw invalidPayload([...found, ...engineFaults(engine, submission).filter(({ path }) => !paths.has(path))]);
  }
  const scored = engine.score(submission.scorecard, submission.metric, submission.raw);
  const fault = unstorable(scored.raw, "raw");
  if (fault) throw new ServiceError("invalid-raw", `${fault.path} ${fault.message}`, { details: [fault] });
  return { ...submission, ...scored };
}

/** What the engine has to say of a submission that is already known to be faulty. */
function engineFaults(engine: Engine, { scorecard, metric, raw }: NewScore): readonly Fault[] {
  try {
    engine.score(scorecard, metric, raw);
    return [];
  } catch (error) {
    return error instanceof MaturityError ? error.details : [];
  }
}
