import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import Joi from "joi";
import { bodyRoute } from "../http/body.ts";
import { forTokens, grantOf } from "../http/caller.ts";
import { entryList, readEntries, requireAllWithin } from "../http/entries.ts";
import { strict, validated } from "../model/fields.ts";
import type { Grant } from "../model/grant.ts";
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
import { storedNote } from "./moved-to.ts";
import { noteFields, reportedAt, storedField, storedScore } from "./openapi-schemas.ts";
import { type ScoreDependencies, storeReported } from "./score.ts";
import { answerOf, type Scored, scoreSubmission, submissionBody } from "./submission.ts";

const envelope = Joi.object({ scores: entryList }).prefs(strict);

const operation: Operation = {
  operationId: "reportScores",
  tags: ["report"],
  summary: "Score up to 1,000 results and store them, all or none",
  requestBody: jsonBody("ScoresRequest"),
  responses: { 200: jsonResponse("Stored", "ScoresResponse") },
  errors: bodyErrors(["app-retired", "app-unregistered"], ["scorer-failed"]),
  schemas: { ScoresRequest: requestSchema(), ScoresResponse: responseSchema() },
};

/** The schema of the body. The entries are validated one by one, so `envelope` does not include them. */
function requestSchema(): Json {
  const { properties, ...rest } = jsonSchema(Joi.object({ scores: entryList.items(submissionBody) })) as {
    properties: { scores: Json };
  };
  return { ...rest, properties: { scores: { ...properties.scores, items: reference("ScoreRequest") } } };
}

function responseSchema(): Json {
  const scores = {
    type: "array",
    items: object({ ...storedScore, stored: storedField }, noteFields),
    description: "In the order sent",
  };
  return object({ reported_at: reportedAt, scores });
}

/** POST /scores: scores up to 1,000 results and stores all or none. The last of several with the same key counts. */
export function scoresRoute(dependencies: ScoreDependencies): ServerRoute {
  return bodyRoute("POST /scores", { auth: forTokens("score:write"), openapi: operation }, async (body, request) => {
    const grant = grantOf(request);
    const scored = await readScores(dependencies.engine, grant, body);
    const stored = await storeReported(dependencies, request, scored, pathOf);
    return {
      reported_at: stored.reportedAt,
      scores: scored.map((one, index) => ({ ...answerOf(one), ...storedNote(grant, one, stored.scores[index]) })),
    };
  });
}

const pathOf = (index: number) => `scores[${index}]`;

/** The scores of a batch. @throws ServiceError with the faults of all entries, or for one beyond the bounds of the caller */
async function readScores(engine: Engine, grant: Grant, body: Record<string, unknown>): Promise<Scored[]> {
  const entries = validated(envelope, body).scores;
  const scored = await readEntries("scores", entries, (submission) => scoreSubmission(engine, submission));
  requireAllWithin(grant, scored, pathOf);
  return scored;
}
