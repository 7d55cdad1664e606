import { STATUS_CODES } from "node:http";
import { gzipSync } from "node:zlib";
import type { ServerRoute } from "@hapi/hapi";
import { maxFaults } from "@maturity/core/wire";
import packageJson from "../../package.json" with { type: "json" };
import { errorTable, type ServiceErrorCode } from "../model/errors.ts";
import type { AuthMode } from "../model/grant.ts";
import { type Json, type Operation, object, operationOf, readOperation } from "./operation.ts";

/**
 * GET /openapi.json
 *
 * @param document returns the description; a function, because the description includes this route
 */
export function openapiRoute(document: () => Json): ServerRoute {
  const openapi = readOperation("describe", "This description", "application/json", { type: "object" });
  const pack = () => {
    const text = JSON.stringify(document());
    return { text, gzip: gzipSync(text) };
  };
  let packed: ReturnType<typeof pack> | undefined; // made once: for each reader it would take 10 ms
  return {
    method: "GET",
    path: "/openapi.json",
    options: { auth: false, plugins: { openapi } },
    handler({ info }, h) {
      packed ??= pack();
      const isPacked = info.acceptEncoding === "gzip";
      info.acceptEncoding = "identity"; // hapi must not compress the body again
      const response = h
        .response(isPacked ? packed.gzip : packed.text)
        .type("application/json")
        .vary("accept-encoding");
      return isPacked ? response.header("content-encoding", "gzip") : response;
    },
  };
}

/**
 * The OpenAPI 3.1 description of routes, made of the operations that they declare.
 *
 * @throws Error naming a route without an operation
 */
export function openapiDocument(routes: readonly ServerRoute[], auth: AuthMode): Json {
  const described = routes.flatMap((route) => {
    const operation = operationOf(route);
    if (operation === undefined) throw new Error(`${route.method} ${route.path} has no operation in plugins.openapi`);
    return operation ? [{ route, operation }] : [];
  });
  const schemes = securitySchemes(auth);
  const paths: Record<string, Json> = {};
  for (const { route, operation } of described) {
    const method = String(route.method).toLowerCase();
    paths[route.path] = { ...paths[route.path], [method]: operationObject(operation, isOpen(route) ? "none" : auth) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Maturity",
      version: packageJson.version,
      summary: "Turns results of pipelines, scanners, queries and audits into maturity scores.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative to the address of the description, so it holds behind a proxy that adds a prefix.
    servers: [{ url: "." }],
    security: [],
    tags: [
      { name: "report", description: "Send results" },
      { name: "read", description: "Read scores and the state of the service" },
      { name: "decide", description: "Decide what counts, and what there is" },
    ],
    paths,
    components: {
      schemas: { ...Object.assign({}, ...described.map(({ operation }) => operation.schemas)), Error: errorSchema() },
      ...(auth !== "none" && { securitySchemes: schemes }),
    },
  };
}

function isOpen({ options }: ServerRoute): boolean {
  return typeof options === "object" && options.auth === false;
}

/** @param auth how callers of this route identify themselves */
function operationObject({ schemas: _, errors, ...operation }: Operation, auth: AuthMode): Json {
  const codes = [...new Set([...errors, ...tokenErrors(auth)])];
  return {
    ...operation,
    responses: { ...operation.responses, ...errorResponses(codes) },
    ...(auth !== "none" && { security: Object.keys(securitySchemes(auth)).map((name) => ({ [name]: [] })) }),
  };
}

/** The ways to identify a caller. One of them is enough. */
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

/** The errors of a wrong token, and of checking a token. */
function tokenErrors(auth: AuthMode): ServiceErrorCode[] {
  if (auth === "none") return [];
  const errors: ServiceErrorCode[] = ["unauthorized", "forbidden"];
  if (auth.includes("token")) errors.push("store-unavailable");
  if (auth.includes("oidc")) errors.push("issuer-unavailable");
  return errors;
}

/** One response for each status, with all its codes. */
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

/** An example answer. */
function errorExample(code: ServiceErrorCode): [code: string, example: Json] {
  const { status, when } = errorTable[code];
  return [code, { summary: when, value: { statusCode: status, error: STATUS_CODES[status], message: when, code } }];
}

function errorSchema(): Json {
  const fault = object({
    path: { type: "string", description: "Where: `raw.critical`, `details[2].line`; empty for the whole body" },
    message: { type: "string" },
  });
  return object(
    {
      statusCode: { type: "integer" },
      error: { type: "string", description: "Name of the status" },
      message: { type: "string", description: "What is wrong and what would be right" },
      code: { enum: Object.keys(errorTable) },
    },
    {
      details: {
        ...{ type: "array", items: fault, maxItems: maxFaults },
        description: "The faults of the request, the first hundred",
      },
    },
  );
}
