import { STATUS_CODES } from "node:http";
import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type Joi from "joi";
import packageJson from "../../package.json" with { type: "json" };
import type { AuthMode } from "../auth/scheme.ts";
import { contentTypes } from "../exposition/exposition.ts";
import { metricsQuery } from "../exposition/route.ts";
import { errorTable, type ServiceErrorCode } from "../model/errors.ts";
import { type Json, jsonSchema, openapiSchemas } from "./schemas.ts";

/** An operation before its errors are described. */
type Operation = Json & { readonly responses: Json; readonly codes: readonly ServiceErrorCode[] };

/** GET /openapi.json */
export function openapiRoute(engine: Engine, auth: AuthMode): ServerRoute {
  const document = openapiDocument(engine, auth);
  return { method: "GET", path: "/openapi.json", options: { auth: false }, handler: () => document };
}

/** The OpenAPI 3.1 description of the service with these scorecards, made from the schemas that check the requests. */
export function openapiDocument(engine: Engine, auth: AuthMode): Json {
  const schemes = securitySchemes(auth);
  const refusals = refusalsOf(auth);
  const open = ({ codes, ...operation }: Operation): Json => ({
    ...operation,
    responses: { ...operation.responses, ...errorResponses(codes) },
  });
  const guarded = ({ codes, ...operation }: Operation): Json =>
    open({
      ...operation,
      ...(auth !== "none" && { security: Object.keys(schemes).map((name) => ({ [name]: [] })) }),
      codes: [...new Set([...codes, ...refusals])],
    });
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
          responses: { 200: jsonResponse("Stored", "ScoreResponse") },
          codes: bodyErrors(["unknown-scorecard", "unknown-metric", "invalid-raw"], ["scorer-failed"]),
        }),
      },
      "/scores": {
        post: guarded({
          operationId: "reportScores",
          tags: ["report"],
          summary: "Score up to 1,000 raw results and store them, all or none",
          requestBody: jsonBody("ScoresRequest"),
          responses: { 200: jsonResponse("Stored", "ScoresResponse") },
          codes: bodyErrors([], ["scorer-failed"]),
        }),
      },
      "/problem/scan-result": {
        post: guarded({
          operationId: "reportProblem",
          tags: ["report"],
          summary: "Store the state of a problem; queues a chat alert when it is open, and when it is resolved",
          requestBody: jsonBody("ProblemRequest"),
          responses: { 200: jsonResponse("Stored", "ProblemResponse") },
          codes: bodyErrors(),
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
          },
          codes: ["invalid-payload", "internal", "store-unavailable", "overloaded"],
        }),
      },
      "/metrics/service": {
        get: guarded(read("scrapeService", "Figures of this one process", "text/plain", { type: "string" })),
      },
      "/healthz": {
        get: {
          operationId: "health",
          tags: ["read"],
          summary: "Should requests be sent here?",
          responses: {
            200: jsonResponse("The database answers, to writes and to scrapes", "Health"),
            503: jsonResponse("It does not, or not within 2 seconds, or this process is about to stop", "Health"),
          },
        },
      },
      "/livez": {
        get: open(read("live", "Does the process run?", "application/json", { $ref: "#/components/schemas/Health" })),
      },
      "/openapi.json": { get: open(read("describe", "This description", "application/json", { type: "object" })) },
      "/docs": {
        get: open(read("docs", "This description as a page to read and try", "text/html", { type: "string" })),
      },
    },
    components: {
      schemas: openapiSchemas(engine),
      ...(auth !== "none" && { securitySchemes: schemes }),
    },
  };
}

/** The ways in which a caller may say who it is; one of them is enough. */
function securitySchemes(auth: AuthMode): Record<string, Json> {
  const bearer = { type: "http", scheme: "bearer" };
  return {
    ...(auth.includes("token") && { token: bearer }),
    ...(auth.includes("oidc") && {
      idToken: {
        ...bearer,
        bearerFormat: "JWT",
        description: "The ID token of a pipeline of GitHub Actions or GitLab CI",
      },
    }),
  };
}

/** How a token may fail. */
function refusalsOf(auth: AuthMode): ServiceErrorCode[] {
  if (auth === "none") return [];
  const refusals: ServiceErrorCode[] = ["unauthorized", "forbidden"];
  if (auth.includes("token")) refusals.push("store-unavailable");
  if (auth.includes("oidc")) refusals.push("issuer-unavailable");
  return refusals;
}

function bodyErrors(
  refused: readonly ServiceErrorCode[] = [],
  failed: readonly ServiceErrorCode[] = [],
): ServiceErrorCode[] {
  return [
    "invalid-payload",
    ...refused,
    "payload-too-large",
    "unsupported-media-type",
    ...failed,
    "internal",
    "store-unavailable",
    "overloaded",
  ];
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
    content: { "application/json": { schema, examples: Object.fromEntries(codes.map(errorExample)) } },
  };
}

/** An answer with this code, so that readers see which codes a status can have. */
function errorExample(code: ServiceErrorCode): [code: string, example: Json] {
  const { status, when } = errorTable[code];
  return [code, { summary: when, value: { statusCode: status, error: STATUS_CODES[status], message: when, code } }];
}

function queryParameters(query: Joi.ObjectSchema): Json[] {
  const { properties } = jsonSchema(query) as { properties: Record<string, Json> }; // each is `anyOf`: a list, or one value
  return Object.entries(properties).map(([name, { anyOf }]) => {
    const [{ description, ...schema }] = anyOf as [Json];
    return { name, in: "query", description, schema, explode: true };
  });
}

function read(operationId: string, summary: string, type: string, schema: Json): Operation {
  const responses = { 200: { description: summary, content: { [type]: { schema } } } };
  return { operationId, tags: ["read"], summary, responses, codes: ["internal"] };
}

function jsonBody(schema: string): Json {
  return { required: true, content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

function jsonResponse(description: string, schema: string): Json {
  return { description, content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } };
}
