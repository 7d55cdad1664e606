import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import { grantOf } from "../auth/scheme.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { oneOf, requireWithin } from "../model/grant.ts";
import { bodyErrors, jsonBody, jsonResponse, type Operation, object } from "../openapi/operation.ts";
import { withStore } from "../store/database.ts";
import type { ScoreWriter } from "../store/writing/score-writer.ts";
import { reportedAt, requestSchemas, storedScore } from "./openapi-schemas.ts";
import { answerOf, scoreSubmission } from "./submission.ts";

/** POST /score: scores one raw result and stores the score. */
export function scoreRoute({ engine, scores }: { engine: Engine; scores: ScoreWriter }): ServerRoute {
  return {
    method: "POST",
    path: "/score",
    options: {
      auth: { access: { scope: oneOf("score:write") } },
      payload: jsonPayload,
      plugins: { openapi: operation(engine) },
    },
    handler: handleObject(async (body, request) => {
      const scored = scoreSubmission(engine, body);
      requireWithin(grantOf(request), scored);
      const reported_at = await withStore(() => scores.save([scored], () => request.active()));
      return { ...answerOf(scored), reported_at };
    }),
  };
}

function operation(engine: Engine): Operation {
  return {
    operationId: "reportScore",
    tags: ["report"],
    summary: "Score one raw result and store it in place of the former one of its key",
    requestBody: jsonBody("ScoreRequest"),
    responses: { 200: jsonResponse("Stored", "ScoreResponse") },
    errors: bodyErrors(["unknown-scorecard", "unknown-metric", "invalid-raw"], ["scorer-failed"]),
    schemas: { ...requestSchemas(engine), ScoreResponse: object({ ...storedScore, reported_at: reportedAt }) },
  };
}
