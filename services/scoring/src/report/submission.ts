import { type Engine, type Fault, MaturityError, type Score } from "@maturity/core";
import { maxOrigin, summaryOf, tooManyValues, unstorable } from "@maturity/core/wire";
import Joi from "joi";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults, measuredAt, name, strict, target } from "../model/fields.ts";
import type { NewScore } from "../store/new-score.ts";

/** The body of POST /score, and an entry of POST /scores. The content of `raw` depends on the metric. */
export const submissionBody: Joi.ObjectSchema = Joi.object({
  ...target,
  scorecard: Joi.string().max(200).required().description("Name of an installed scorecard"),
  metric: Joi.string().max(200).required().description("Name of one of its metrics"),
  raw: Joi.object().required().unknown().description("The values of the result; their fields depend on the metric"),
  measured_at: measuredAt,
  pipeline_id: name(maxOrigin.pipeline_id).description("The pipeline run that reports"),
  project_repo: name(maxOrigin.project_repo).description("Address of the repository"),
}).prefs(strict);

/** A submission with its score. */
export type Scored = NewScore & Score;

/**
 * Validates a submission and scores it. `raw` is stored exactly as sent, even if a validator changes it, so that
 * scoring it again gives the same score.
 *
 * @throws MaturityError listing the faults of the body, including those of `raw`
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
  const score = engine.score(submission.scorecard, submission.metric, submission.raw);
  return { ...submission, ...score };
}

/** The faults that the engine adds to a faulty submission. */
function engineFaults(engine: Engine, { scorecard, metric, raw }: NewScore): readonly Fault[] {
  try {
    engine.score(scorecard, metric, raw);
    return [];
  } catch (error) {
    return error instanceof MaturityError ? error.details : [];
  }
}

/** The answer about a stored score. */
export function answerOf({ area, team, app, env, scorecard, metric, score, reasons, scorer }: Scored): object {
  return { area, team, app, env, scorecard, metric, score, reasons, scorer };
}
