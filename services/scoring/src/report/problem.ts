import type { ServerRoute } from "@hapi/hapi";
import { maxEntries } from "@maturity/core/wire";
import type { Knex } from "knex";
import { bodyRoute } from "../http/body.ts";
import { forTokens, grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { readEntries } from "../http/entries.ts";
import { idempotencyKey, readKey, respond } from "../http/idempotency.ts";
import { faults, validated } from "../model/fields.ts";
import { requireWithin } from "../model/grant.ts";
import {
  type AlertState,
  alertStates,
  detailBody,
  type Problem,
  type ProblemDetail,
  problemBody,
  problemFrame,
} from "../model/problem.ts";
import {
  bodyErrors,
  type Json,
  jsonBody,
  jsonResponse,
  jsonSchema,
  type Operation,
  withExamples,
} from "../openapi/operation.ts";
import { withStore } from "../store/failures.ts";
import type { StoredProblem } from "../store/problems.ts";
import type { ProblemWriter } from "../store/writing/problem-writer.ts";
import { storedNote } from "./moved-to.ts";
import { noteFields, reportedAt, storedField } from "./openapi-schemas.ts";

/** The dependencies of POST /problem/scan-result. */
export interface ProblemDependencies {
  readonly saveProblem: ProblemWriter;
  /** Stores the fact that a problem was reported, in the transaction that stores the problem. */
  announceProblem(trx: Knex.Transaction, problem: Problem, stored: StoredProblem): Promise<AlertState>;
}

const operation: Operation = {
  operationId: "reportProblem",
  tags: ["report"],
  summary: "Store the state of a problem; queues a chat alert when it is open, and when it is resolved",
  parameters: [idempotencyKey],
  requestBody: jsonBody("ProblemRequest"),
  responses: { 200: jsonResponse("Stored", "ProblemResponse") },
  errors: bodyErrors(["app-retired", "app-unregistered", "idempotency-key-reused"]),
  schemas: { ProblemRequest: withExamples(jsonSchema(problemBody)), ProblemResponse: responseSchema() },
};

function responseSchema(): Json {
  const { properties, required, ...rest } = jsonSchema(problemBody) as { properties: Json; required: string[] };
  const added = {
    opened_at: { type: ["string", "null"], format: "date-time", description: "Since when it is open" },
    reported_at: reportedAt,
    stored: storedField,
    alert: {
      enum: [...alertStates],
      description:
        "What becomes of the chat alert; not_needed when the problem was not open, or no message about its opening was queued; waived when it is open and waived; held when it is open and its application is held until somebody registers it",
    },
  };
  return {
    ...rest,
    properties: { ...properties, ...added, ...noteFields },
    required: [...required, "details", ...Object.keys(added)],
  };
}

/** POST /problem/scan-result: stores the state of a problem and, in the same transaction, the fact that is announced. */
export function problemRoute({ saveProblem, announceProblem }: ProblemDependencies): ServerRoute {
  return bodyRoute(
    "POST /problem/scan-result",
    { auth: forTokens("problem:write"), openapi: operation },
    async (body, request, h) => {
      const problem = await readProblem(body);
      const grant = grantOf(request);
      requireWithin(grant, problem);
      const complete = async (trx: Knex.Transaction, stored: StoredProblem) => {
        const { opened_at, reported_at } = stored;
        const alert = stored.is_past ? "not_needed" : await announceProblem(trx, problem, stored);
        return { opened_at, reported_at, alert, ...storedNote(grant, problem, stored) };
      };
      const key = readKey(request, grant.caller, body);
      const { signal } = deadlineOf(request.raw.req);
      const made = await withStore(() => saveProblem({ problem, reach: grant, key, complete }, signal), signal);
      // A key keeps what the request does not say: its details may be large.
      return respond(h, { ...made, answer: { ...problem, ...made.answer } });
    },
  );
}

async function readProblem(body: Record<string, unknown>): Promise<Problem> {
  const { value, error } = problemFrame.validate(body);
  const found = error ? faults(error) : [];
  const sent = Array.isArray(body.details) ? body.details.slice(0, maxEntries) : [];
  const details = await readEntries("details", sent, (detail): ProblemDetail => validated(detailBody, detail), found);
  return { ...value, details, severity: value.severity.toLowerCase() as Problem["severity"] };
}
