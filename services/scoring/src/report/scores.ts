import type { ServerRoute } from "@hapi/hapi";
import { type Engine, type Fault, maxEntries, maxFaults } from "@maturity/core";
import Joi from "joi";
import { grantOf } from "../auth/scheme.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults, strict } from "../model/fields.ts";
import { type Grant, oneOf, requireWithin } from "../model/grant.ts";
import {
  bodyErrors,
  type Json,
  jsonBody,
  jsonResponse,
  jsonSchema,
  type Operation,
  object,
  reference,
} from "../openapi/operation.ts";
import { withStore } from "../store/database.ts";
import type { ScoreWriter } from "../store/writing/score-writer.ts";
import { faultsAt, readEntries } from "./entries.ts";
import { reportedAt, storedScore } from "./openapi-schemas.ts";
import { answerOf, type Scored, scoreSubmission, submissionBody } from "./submission.ts";

const list = Joi.array().min(1).max(maxEntries).required().messages({
  "array.min": "must have at least one entry",
  "array.max": "must have at most 1,000 entries",
});

const envelope = Joi.object({ scores: list }).prefs(strict);

const operation: Operation = {
  operationId: "reportScores",
  tags: ["report"],
  summary: "Score up to 1,000 raw results and store them, all or none",
  requestBody: jsonBody("ScoresRequest"),
  responses: { 200: jsonResponse("Stored", "ScoresResponse") },
  errors: bodyErrors([], ["scorer-failed"]),
  schemas: { ScoresRequest: requestSchema(), ScoresResponse: responseSchema() },
};

/** The schema of the body. The entries are validated one by one, so the validator of the rest does not include them. */
function requestSchema(): Json {
  const { properties, ...rest } = jsonSchema(Joi.object({ scores: list.items(submissionBody) })) as {
    properties: { scores: Json };
  };
  return { ...rest, properties: { scores: { ...properties.scores, items: reference("ScoreRequest") } } };
}

function responseSchema(): Json {
  const scores = { type: "array", items: object(storedScore), description: "In the order sent" };
  return object({ reported_at: reportedAt, scores });
}

/**
 * POST /scores: scores up to 1,000 raw results and stores all or none. If several have the same key, the last one
 * counts.
 */
export function scoresRoute({ engine, scores }: { engine: Engine; scores: ScoreWriter }): ServerRoute {
  return {
    method: "POST",
    path: "/scores",
    options: {
      auth: { access: { scope: oneOf("score:write") } },
      payload: jsonPayload,
      plugins: { openapi: operation },
    },
    handler: handleObject(async (body, request) => {
      const scored = await readScores(engine, grantOf(request), body);
      const reported_at = await withStore(() => scores.save(scored, () => request.active()));
      return { reported_at, scores: scored.map(answerOf) };
    }),
  };
}

async function readScores(engine: Engine, grant: Grant, body: Record<string, unknown>): Promise<Scored[]> {
  const { error, value } = envelope.validate(body);
  if (error) throw invalidPayload(faults(error));
  const scored = await readEntries("scores", value.scores, (submission) => scoreSubmission(engine, submission));
  requireAllWithin(grant, scored);
  return scored;
}

/**
 * Checks the bounds of the token for every entry and names each entry outside, so that the sender can leave these out.
 */
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
