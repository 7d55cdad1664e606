import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type Joi from "joi";
import packageJson from "../../package.json" with { type: "json" };
import type { AuthMode } from "../auth/scheme.ts";
import { errorTable, type ServiceErrorCode } from "../errors.ts";
import { contentTypes } from "../exposition/exposition.ts";
import { metricsQuery } from "./metrics.ts";
import { type Json, jsonSchema, openapiSchemas } from "./openapi-schemas.ts";

type Operation = Json & { readonly responses: Json };

/** GET /openapi.json */
export function openapiRoute(engine: Engine, auth: AuthMode): ServerRoute {
  const document = openapiDocument(engine, auth);
  return { method: "GET", path: "/openapi.json", options: { auth: false }, handler: () => document };
}

/** The OpenAPI 3.1 description of the service with these scorecards, made from the schemas that check the requests. */
export function openapiDocument(engine: Engine, auth: AuthMode): Json {
  const guarded = (operation: Operation): Json => (auth === "none" ? operation : withToken(operation));
  return {
    openapi: "3.1.0",
    info: {
      title: "Maturity",
      version: packageJson.version,
      summary: "Turns raw results of pipelines, scanners, queries and audits into maturity scores.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [],
    tags: [
      { name: "report", description: "Send results" },
      { name: "read", description: "Read scores and the state of the service" },
    ],
    paths: {
      "/score": {
        post: guarded({
          operationId: "reportScore",
          tags: ["report"],
          summary: "Score one raw result and store it in place of the former one of its key",
          requestBody: jsonBody("ScoreRequest"),
          responses: {
            200: jsonResponse("Stored", "ScoreResponse"),
            ...bodyErrors(["unknown-scorecard", "unknown-metric", "invalid-raw"], ["scorer-failed"]),
          },
        }),
      },
      "/scores": {
        post: guarded({
          operationId: "reportScores",
          tags: ["report"],
          summary: "Score up to 1,000 raw results and store them, all or none",
          requestBody: jsonBody("ScoresRequest"),
          responses: { 200: jsonResponse("Stored", "ScoresResponse"), ...bodyErrors([], ["scorer-failed"]) },
        }),
      },
      "/problem/scan-result": {
        post: guarded({
          operationId: "reportProblem",
          tags: ["report"],
          summary: "Store the state of a problem; a count above 0 queues a chat alert",
          requestBody: jsonBody("ProblemRequest"),
          responses: { 200: jsonResponse("Stored", "ProblemResponse"), ...bodyErrors() },
        }),
      },
      "/metrics": {
        get: guarded({
          operationId: "scrape",
          tags: ["read"],
          summary: "All scores and problems in the exposition format of Prometheus",
          parameters: queryParameters(metricsQuery),
          responses: {
            200: {
              description: "One consistent snapshot",
              content: Object.fromEntries(
                Object.values(contentTypes).map((type) => [type.split(";")[0], { schema: { type: "string" } }]),
              ),
            },
            ...errorResponses(["invalid-payload", "internal", "store-unavailable"]),
          },
        }),
      },
      "/metrics/service": {
        get: guarded(read("scrapeService", "Figures of this one process", "text/plain", { type: "string" }).get),
      },
      "/healthz": {
        get: {
          operationId: "health",
          tags: ["read"],
          summary: "Does the database answer?",
          responses: {
            200: jsonResponse("It does", "Health"),
            503: jsonResponse("It does not, or not within 2 seconds", "Health"),
          },
        },
      },
      "/livez": read("live", "Does the process run?", "application/json", { $ref: "#/components/schemas/Health" }),
      "/openapi.json": read("describe", "This description", "application/json", { type: "object" }),
      "/docs": read("docs", "This description as a page to read and try", "text/html", { type: "string" }),
    },
    components: {
      schemas: openapiSchemas(engine),
      ...(auth !== "none" && { securitySchemes: { token: { type: "http", scheme: "bearer" } } }),
    },
  };
}

/** The operation as it is with access tokens. */
function withToken(operation: Operation): Json {
  const refusals = errorResponses(["unauthorized", "forbidden", "too-many-attempts"]);
  return { ...operation, security: [{ token: [] }], responses: { ...operation.responses, ...refusals } };
}

function bodyErrors(refused: readonly ServiceErrorCode[] = [], failed: readonly ServiceErrorCode[] = []): Json {
  return errorResponses([
    "invalid-payload",
    ...refused,
    "payload-too-large",
    "unsupported-media-type",
    ...failed,
    "internal",
    "store-unavailable",
    "overloaded",
  ]);
}

/** One response a status, with the codes it may have. */
function errorResponses(codes: readonly ServiceErrorCode[]): Json {
  const statuses = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries([...statuses].map(([status, codes]) => [status, errorResponse(status, codes)]));
}

function errorResponse(status: number, codes: readonly ServiceErrorCode[]): Json {
  const narrowed = { properties: { statusCode: { const: status }, code: { enum: codes } } };
  const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, narrowed] };
  const retryAfter = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].when}`).join("; "),
    ...(codes.some((code) => errorTable[code].retryAfter !== undefined) && { headers: retryAfter }),
    content: { "application/json": { schema } },
  };
}

function queryParameters(query: Joi.ObjectSchema): Json[] {
  const { properties } = jsonSchema(query) as { properties: Record<string, Json> }; // each is `anyOf`: a list, or one value
  return Object.entries(properties).map(([name, { anyOf }]) => {
    const [{ description, ...schema }] = anyOf as [Json];
    return { name, in: "query", description, schema, explode: true };
  });
}

function read(operationId: string, summary: string, type: string, schema: Json): { get: Operation } {
  const responses = { 200: { description: summary, content: { [type]: { schema } } }, ...errorResponses(["internal"]) };
  return { get: { operationId, tags: ["read"], summary, responses } };
}

function jsonBody(schema: string): Json {
  return { required: true, content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

function jsonResponse(description: string, schema: string): Json {
  return { description, content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } };
}
