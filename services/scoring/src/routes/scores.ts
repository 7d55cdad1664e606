import type { ServerRoute } from "@hapi/hapi";
import { type Engine, type Fault, MaturityError } from "@maturity/core";
import Joi from "joi";
import { type Grant, oneOf, requireWithin } from "../auth/grant.ts";
import { grantOf } from "../auth/scheme.ts";
import { invalidPayload, ServiceError } from "../errors.ts";
import { faults, strict } from "../fields.ts";
import { withStore } from "../store/database.ts";
import type { ScoreWriter } from "../store/score-writer.ts";
import { handleObject, jsonPayload, limitFields } from "./body.ts";
import { answerOf, type Scored, scoreSubmission, submissionBody } from "./submission.ts";

const maxScores = 1_000;

/** More faults of one body are not listed. */
const maxFaults = 100;

const list = Joi.array().min(1).max(maxScores).required().messages({
  "array.min": "must have at least one entry",
  "array.max": "must have at most 1,000 entries",
});

/** The body of POST /scores as it is described; its entries are checked one by one. */
export const scoresBody: Joi.ObjectSchema = Joi.object({ scores: list.items(submissionBody) });

const envelope = Joi.object({ scores: list }).prefs(strict);

/** POST /scores: up to 1,000 raw results, stored all or none; of two with one key the later counts. */
export function scoresRoute({ engine, scores }: { engine: Engine; scores: ScoreWriter }): ServerRoute {
  return {
    method: "POST",
    path: "/scores",
    options: { auth: { access: { scope: oneOf("score:write") } }, payload: jsonPayload },
    handler: handleObject(async (body, request) => {
      const scored = readScores(engine, grantOf(request), body);
      const reported_at = await withStore(() => scores.save(...scored));
      return { reported_at, scores: scored.map(answerOf) };
    }),
  };
}

function readScores(engine: Engine, grant: Grant, body: Record<string, unknown>): Scored[] {
  const { error, value } = envelope.validate(body);
  if (error) throw invalidPayload(faults(error));
  const found: Fault[] = [];
  const scored: Scored[] = [];
  for (const [index, submission] of (value.scores as unknown[]).entries()) {
    if (found.length >= maxFaults) break;
    try {
      scored.push(scoreSubmission(engine, asObject(submission)));
    } catch (error) {
      found.push(...faultsAt(`scores[${index}]`, error));
    }
  }
  if (found.length > 0) throw invalidPayload(found.slice(0, maxFaults));
  requireAllWithin(grant, scored);
  return scored;
}

/** As of other faults, every entry outside the bounds is named, so that its sender can go on without it. */
function requireAllWithin(grant: Grant, scored: readonly Scored[]): void {
  let message = "";
  const found: Fault[] = [];
  for (const [index, one] of scored.entries()) {
    if (found.length >= maxFaults) break;
    try {
      requireWithin(grant, one);
    } catch (error) {
      found.push(...faultsAt(`scores[${index}]`, error));
      message ||= (error as Error).message;
    }
  }
  if (found.length > 0) throw new ServiceError("forbidden", message, { details: found });
}

function asObject(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidPayload([{ path: "", message: "must be an object" }]);
  }
  limitFields(value, "");
  return value;
}

/** The faults of one entry, with the entry before their paths. What is not the caller's fault is thrown on. */
function faultsAt(entry: string, error: unknown): Fault[] {
  if (!(error instanceof MaturityError) || error.details.length === 0) throw error;
  return error.details.map(({ path, message }) => ({ path: path ? `${entry}.${path}` : entry, message }));
}
