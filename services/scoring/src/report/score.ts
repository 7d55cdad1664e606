import type { Request, ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forTokens, grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { requireWithin } from "../model/grant.ts";
import { bodyErrors, jsonBody, jsonResponse, type Operation, object } from "../openapi/operation.ts";
import { withStore } from "../store/failures.ts";
import type { StoredScores } from "../store/scores.ts";
import type { ScoreWriter } from "../store/writing/score-writer.ts";
import { movedToSchema, requireStored, storedNote } from "./moved-to.ts";
import { noteFields, reportedAt, requestSchemas, storedField, storedScore } from "./openapi-schemas.ts";
import { answerOf, type Scored, scoreSubmission } from "./submission.ts";

/** The dependencies of the routes that store scores. */
export interface ScoreDependencies {
  readonly engine: Engine;
  readonly saveScores: ScoreWriter;
  /** Reads the nearest registered names. */
  readonly knex: Knex;
}

/** POST /score: scores a result and stores the score. */
export function scoreRoute(dependencies: ScoreDependencies): ServerRoute {
  const { engine } = dependencies;
  const options = { auth: forTokens("score:write"), openapi: operation(engine) };
  return bodyRoute("POST /score", options, async (body, request) => {
    const scored = scoreSubmission(engine, body);
    const grant = grantOf(request);
    requireWithin(grant, scored);
    const stored = await storeReported(dependencies, request, [scored]);
    const note = storedNote(grant, scored, stored.scores[0]);
    return { ...answerOf(scored), reported_at: stored.reportedAt, ...note };
  });
}

/**
 * Stores all scores of a request or none.
 *
 * @param pathOf as of `requireStored`
 * @throws ServiceError `store-unavailable`, and those of `requireStored`
 */
export function storeReported(
  { saveScores, knex }: ScoreDependencies,
  request: Request,
  scored: readonly Scored[],
  pathOf?: (index: number) => string,
): Promise<StoredScores> {
  const { signal } = deadlineOf(request.raw.req);
  return withStore(async () => {
    const stored = await saveScores(scored, signal);
    await requireStored({ knex, reach: grantOf(request) }, stored.scores, scored, pathOf);
    return stored;
  }, signal);
}

function operation(engine: Engine): Operation {
  return {
    operationId: "reportScore",
    tags: ["report"],
    summary: "Score one result and store it in place of the former one of its key",
    requestBody: jsonBody("ScoreRequest"),
    responses: { 200: jsonResponse("Stored", "ScoreResponse") },
    errors: bodyErrors(
      ["unknown-scorecard", "unknown-metric", "invalid-raw", "app-retired", "app-unregistered"],
      ["scorer-failed"],
    ),
    schemas: {
      ...requestSchemas(engine),
      ...movedToSchema,
      ScoreResponse: object({ ...storedScore, reported_at: reportedAt, stored: storedField }, noteFields),
    },
  };
}
