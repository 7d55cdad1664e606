import { type Engine, type Fault, MaturityError, type Score, summaryOf } from "@maturity/core";
import Joi from "joi";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults, name, strict, target } from "../model/fields.ts";
import { tooManyValues } from "../model/limits.ts";
import { unstorable } from "../model/storable.ts";
import type { NewScore } from "../store/scores.ts";

/** One raw result, as POST /score and POST /scores take it. What `raw` must hold depends on the metric. */
export const submissionBody: Joi.ObjectSchema = Joi.object({
  ...target,
  scorecard: Joi.string().max(200).required().description("Name of a registered scorecard"),
  metric: Joi.string().max(200).required().description("Name of one of its metrics"),
  raw: Joi.object().required().unknown().description("The raw result; its fields depend on the metric"),
  pipeline_id: name(200).description("The pipeline run that reports"),
  project_repo: name(2048).description("Address of the repository"),
}).prefs(strict);

/** A submission and its score. */
export type Scored = NewScore & Score;

/**
 * Checks a submission and scores it. What is stored of `raw` is what came: only so does scoring it again give the same
 * score, whatever a validator made of it.
 *
 * @throws MaturityError listing the faults of the body, those of `raw` included
 */
export function scoreSubmission(engine: Engine, body: object): Scored {
  const submission = body as NewScore;
  const { error } = submissionBody.validate(body);
  const found = error ? faults(error) : [];
  const tooMany = tooManyValues(submission.raw, "raw");
  if (tooMany) throw invalidPayload([...found, tooMany]);
  const fault = unstorable(submission.raw, "raw");
  if (found.length > 0) {
    const paths = new Set(found.map(({ path }) => path));
    const more = fault ? [fault] : engineFaults(engine, submission);
    throw invalidPayload([...found, ...more.filter(({ path }) => !paths.has(path))]);
  }
  if (fault) throw new ServiceError("invalid-raw", summaryOf([fault]), { details: [fault] });
  // A copy, so that not even a scorecard that changes its input changes what is stored. By way of JSON, in a third of the
  // time of a clone.
  const copy: unknown = JSON.parse(JSON.stringify(submission.raw));
  const score = engine.score(submission.scorecard, submission.metric, copy);
  return { ...submission, ...score };
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

/** What is answered of a stored score. */
export function answerOf({ area, team, app, env, scorecard, metric, score, reasons, scorer }: Scored): object {
  return { area, team, app, env, scorecard, metric, score, reasons, scorer };
}
