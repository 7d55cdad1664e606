import type { ServerRoute } from "@hapi/hapi";
import type Joi from "joi";
import type { ServiceErrorCode } from "../model/errors.ts";

export type Json = { readonly [key: string]: unknown };

/** The OpenAPI operation of a route. `openapiDocument` adds error responses and security. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly ("report" | "read" | "decide")[];
  readonly summary: string;
  readonly requestBody?: Json;
  readonly parameters?: readonly Json[];
  readonly responses: Json;
  /** Errors of the route, without the errors of tokens, which every route that needs a token gets. */
  readonly errors: readonly ServiceErrorCode[];
  /** Schemas by name, for references of this route and of others. */
  readonly schemas?: Json;
}

declare module "@hapi/hapi" {
  interface PluginSpecificConfiguration {
    /**
     * The operation of the route. Every route needs it. False excludes a route that is not part of the API, such as a
     * file of the Board.
     */
    openapi?: Operation | false;
  }
}

/** The options of a route for everybody that is not part of the API. */
export const unlisted = { auth: false, plugins: { openapi: false } } as const;

/** The operation of a route; false for a route outside the API, undefined if the route declares nothing. */
export function operationOf({ options }: ServerRoute): Operation | false | undefined {
  return typeof options === "object" ? options.plugins?.openapi : undefined;
}

/** The operation of a read without parameters. */
export function readOperation(operationId: string, summary: string, type: string, schema: Json): Operation {
  const responses = { 200: { description: summary, content: { [type]: { schema } } } };
  return { operationId, tags: ["read"], summary, responses, errors: ["internal"] };
}

/**
 * The errors of a route with a body, in the order of their statuses.
 *
 * @param refused errors of this route with a status from 401 to 412
 * @param failed errors of this route with a status from 422 to 500
 */
export function bodyErrors(
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

/** What differs between the operations of routes that decide something by a JSON body. */
interface BodyOperation extends Pick<Operation, "operationId" | "summary" | "parameters" | "schemas"> {
  /** The name of the schema of the body. */
  readonly request: string;
  /** What each answer means, and the name of its schema, by status. */
  readonly answers: Readonly<Record<number, readonly [description: string, schema: string]>>;
  /** As the `refused` of `bodyErrors`, and after them `idempotency-key-reused` where it takes a key. */
  readonly errors: readonly ServiceErrorCode[];
}

/** The operation of a route that decides something by a JSON body. */
export function bodyOperation({ request, answers, errors, ...operation }: BodyOperation): Operation {
  const responses = Object.entries(answers).map(([status, [description, schema]]) => [
    status,
    jsonResponse(description, schema),
  ]);
  return {
    ...{ ...operation, tags: ["decide"], requestBody: jsonBody(request), errors: bodyErrors(errors) },
    responses: Object.fromEntries(responses),
  };
}

/** The parameter of a path that is a text of this format. */
export function pathParameter(name: string, description: string, format?: string): Json {
  const schema = { type: "string", ...(format !== undefined && { format }) };
  return { name, in: "path", required: true, description, schema };
}

/** The parameters of a query, from the schema that validates it. A parameter that may be repeated is a list. */
export function queryParameters(query: Joi.ObjectSchema): Json[] {
  const { properties, required = [] } = jsonSchema(query) as {
    properties: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const [list] = (property.anyOf ?? []) as Json[]; // the second alternative is a single value
    const { description, ...schema } = list ?? property;
    const isRequired = required.includes(name) && { required: true };
    return { name, in: "query", description, ...isRequired, schema, ...(list && { explode: true }) };
  });
}

/** A JSON request body, by the name of its schema. */
export function jsonBody(schema: string): Json {
  return { required: true, content: { "application/json": { schema: reference(schema) } } };
}

/** A JSON response, by the name of its schema. */
export function jsonResponse(description: string, schema: string): Json {
  return { description, content: { "application/json": { schema: reference(schema) } } };
}

export function reference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

/** The schema of a number of something. */
export const count: Json = { type: "integer", minimum: 0 };

/** The schema of a share, from nothing to all. */
export const share: Json = { type: "number", minimum: 0, maximum: 1 };

/** The schema of the points of a score. */
export const points: Json = { type: "number", minimum: 0, maximum: 100 };

/** The schema of a text. */
export const text: Json = { type: "string" };

/** The schema of a text that may be null. */
export const textOrNull: Json = { type: ["string", "null"] };

/** The schema of a time that may be null. */
export const timeOrNull: Json = { ...textOrNull, format: "date-time" };

/** The schema of an object with required and optional properties. */
export function object(properties: Json, optional: Json = {}): Json {
  return { type: "object", properties: { ...properties, ...optional }, required: Object.keys(properties) };
}

/** The JSON Schema of a validator. */
export function jsonSchema(schema: Joi.Schema): Json {
  const { properties, ...rest }: Json = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  if (properties === undefined) return rest;
  const entries = Object.entries(properties as Record<string, Json>).map(([name, property]) => [
    name,
    withoutChoice(property),
  ]);
  return { ...rest, properties: Object.fromEntries(entries) };
}

/** A property that only some values of another allow has one alternative, which is no choice. */
function withoutChoice({ anyOf, ...property }: Json): Json {
  const [only, ...others] = (anyOf ?? []) as Json[];
  if (only && others.length === 0) return { ...property, ...only };
  return { ...property, ...(anyOf !== undefined && { anyOf }) };
}

const examples: Readonly<Record<string, unknown>> = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  pipeline_id: "cart/4711",
  project_repo: "https://git.example.com/shop/cart",
  problem_type: "terraform_secret",
  severity: "high",
  count: 1,
  details: [{ file: "main.tf", line: 3, description: "AWS access key" }],
  chat_channel: "#security",
};

/** Adds example values to the properties of a schema. The API page fills its forms with them. */
export function withExamples(schema: Json): Json & { readonly properties: Json } {
  const properties = Object.entries(schema.properties as Record<string, Json>).map(([name, property]) => [
    name,
    name in examples ? { ...property, examples: [examples[name]] } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
