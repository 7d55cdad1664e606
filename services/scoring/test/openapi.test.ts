import type { ServerRoute } from "@hapi/hapi";
import { createEngine, defineScorecard, type RawSchema } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { errorTable } from "../src/model/errors.ts";
import { openapiDocument } from "../src/openapi/document.ts";
import { requestSchemas } from "../src/report/openapi-schemas.ts";
import { rawInputs } from "./support/bad-raw.ts";
import { startService, type TestService } from "./support/service.ts";

interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly summary: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Schema {
  readonly title?: string;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema & Record<string, unknown>>>;
  readonly additionalProperties?: boolean;
  readonly oneOf?: readonly Schema[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let service: TestService;
let document: Document;
beforeAll(async () => {
  service = await startService();
  const { payload } = await service.server.inject("/openapi.json");
  document = JSON.parse(payload);
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
const schema = (name: string): Schema => document.components.schemas[name] ?? {};
const withoutOrder = (names: readonly string[] = []) => [...names].sort();

test("GET /openapi.json is the description, as OpenAPI 3.1", async () => {
  const { statusCode, headers } = await service.server.inject("/openapi.json");
  expect({ statusCode, type: headers["content-type"] }).toEqual({
    statusCode: 200,
    type: "application/json; charset=utf-8",
  });
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
});

test("every route is described, and every path described exists; what only pages ask for is left out", () => {
  const routes = service.server
    .table()
    .filter(({ method, path }) => method !== "*" && path !== "/" && !/^\/(?:docs(?!\/api$)|board\b)/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(withoutOrder(operations().map(({ name }) => name))).toEqual(withoutOrder(routes));
});

test("a route that says nothing of itself lets no server be made", () => {
  const silent: ServerRoute = { method: "GET", path: "/silent", handler: () => "" };
  expect(() => openapiDocument([silent], "none")).toThrow("GET /silent has no operation in plugins.openapi");
  const { plugins = {} } = service.server.match("get", "/livez")?.settings ?? {};
  expect(openapiDocument([{ ...silent, options: { plugins } }], "none")).toMatchObject({
    paths: { "/silent": { get: { operationId: "live" } } },
  });
});

test("every operation has an id of its own, a summary and a success", () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of operations()) {
    expect(operation.summary).toMatch(/\w/);
    expect(Object.keys(operation.responses)).toContainEqual(expect.stringMatching(/^20[01]$/));
  }
});

test("every error code is described under its status, but those of paths and tokens", () => {
  const described = new Set(
    operations().flatMap(({ operation: { responses } }) =>
      Object.entries(responses).flatMap(([status, { description }]) =>
        [...description.matchAll(/`([a-z-]+)`:/g)].map(([, code]) => `${status} ${code}`),
      ),
    ),
  );
  const ofTokens = ["unauthorized", "forbidden", "issuer-unavailable"];
  const elsewhere = ["method-not-allowed", "too-many-changes", ...ofTokens];
  const expected = Object.entries(errorTable)
    .filter(([code]) => !elsewhere.includes(code))
    .map(([code, { status }]) => `${status} ${code}`);
  expect(withoutOrder([...described])).toEqual(withoutOrder(expected));
  expect(schema("Error").properties?.code?.enum).toEqual(Object.keys(errorTable));
});

test("every code of a status stands there with an answer of its own", () => {
  for (const { operation } of operations()) {
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      const codes = [...description.matchAll(/`([a-z-]+)`:/g)].map(([, code]) => code as string);
      if (codes.length === 0) continue;
      const { schema, examples = {} } = content?.["application/json"] ?? {};
      expect(schema).toMatchObject({ allOf: [{}, { properties: { code: { enum: codes } } }] });
      expect(Object.entries(examples)).toEqual(
        codes.map((code) => [
          code,
          { summary: expect.any(String), value: expect.objectContaining({ code, statusCode: Number(status) }) },
        ]),
      );
    }
  }
});

test("answers that ask to wait say how long", () => {
  for (const { operation } of operations()) {
    const { 503: unavailable } = operation.responses;
    if (unavailable && operation.operationId !== "health") expect(unavailable.headers).toHaveProperty("Retry-After");
  }
});

test("every reference leads to a schema", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to as string);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of new Set(references)) {
    const [, ...keys] = reference.split("/");
    const found = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);
    expect(found, reference).toBeTypeOf("object");
  }
});

describe.each(Object.entries(rawInputs))("%s", (name, fields) => {
  const [scorecard, metric] = name.split(".");

  test("has its raw input described, each field with its ends", () => {
    const { type, required, properties = {}, additionalProperties } = schema(`raw.${name}`);
    expect(type).toBe("object");
    expect(additionalProperties).not.toBe(false);
    expect(withoutOrder(required)).toEqual(withoutOrder(Object.keys(fields)));
    expect(withoutOrder(Object.keys(properties))).toEqual(withoutOrder(Object.keys(fields)));
    for (const [field, range] of Object.entries(fields)) {
      if (range === "flag") {
        expect(JSON.stringify(properties[field])).toMatch(/"boolean"/);
        continue;
      }
      const [minimum, maximum, whole] = range;
      expect(properties[field]).toMatchObject({ type: whole ? "integer" : "number", minimum, maximum });
    }
  });

  test("has one variant of the request, whose raw is that", () => {
    const variants = (schema("ScoreRequest").oneOf ?? []).filter(({ title }) => title === name);
    expect(variants).toMatchObject([
      {
        type: "object",
        additionalProperties: false,
        properties: {
          scorecard: { const: scorecard },
          metric: { const: metric },
          raw: { $ref: `#/components/schemas/raw.${name}` },
        },
      },
    ]);
  });
});

test("the request of a score has its required and optional fields, and as many variants as there are metrics", () => {
  const { oneOf = [] } = schema("ScoreRequest");
  expect(oneOf).toHaveLength(Object.keys(rawInputs).length);
  const required = ["area", "team", "app", "env", "scorecard", "metric", "raw"];
  for (const variant of oneOf) {
    expect(withoutOrder(variant.required)).toEqual(withoutOrder(required));
    expect(withoutOrder(Object.keys(variant.properties ?? {}))).toEqual(
      withoutOrder([...required, "measured_at", "pipeline_id", "project_repo"]),
    );
  }
});

test("the request of a problem has its required and optional fields, and refuses others", () => {
  const { required, properties = {}, additionalProperties } = schema("ProblemRequest");
  const needed = ["area", "team", "app", "env", "problem_type", "severity", "count"];
  expect(withoutOrder(required)).toEqual(withoutOrder(needed));
  expect(withoutOrder(Object.keys(properties))).toEqual(
    withoutOrder([...needed, "details", "chat_channel", "measured_at"]),
  );
  expect(additionalProperties).toBe(false);
});

describe("each list", () => {
  const lists = () =>
    operations().filter(({ operation }) => operation.parameters?.some(({ name }) => name === "cursor"));

  test("says of each parameter what it is for, and which ones a query needs", () => {
    const needed: Readonly<Record<string, readonly string[]>> = {
      "get /history": ["env"],
      "get /search": ["q"],
    };
    expect(lists()).toHaveLength(23);
    for (const { name, operation } of lists()) {
      const parameters = operation.parameters ?? [];
      expect(parameters.filter(({ description }) => !description)).toEqual([]);
      const required = parameters.filter((one) => one.required && one.in === "query").map((one) => one.name);
      expect(required, name).toEqual(needed[name] ?? []);
      expect(parameters).toContainEqual(expect.objectContaining({ name: "If-None-Match", in: "header" }));
    }
  });

  test("has an answer in each format, with an example of the same item", () => {
    for (const { name, operation } of lists()) {
      const { content = {}, headers } = operation.responses[200] ?? {};
      expect([headers, operation.responses[304]?.headers], name).toEqual(Array(2).fill({ ETag: expect.anything() }));
      const example = (type: string) =>
        Object.values(content[type]?.examples as Record<string, { value: unknown }>).map(({ value }) => value)[0];
      const { items } = example("application/json") as { items: object[] };
      expect(JSON.parse(String(example("application/x-ndjson")))).toEqual(items[0]);
      const [titles = "", line = "", end] = String(example("text/csv")).split("\r\n");
      expect([line === "", end]).toEqual([false, ""]);
      for (const [field, value] of Object.entries(items[0] ?? {})) {
        if (typeof value !== "object") expect(titles.split(",")).toContain(field);
      }
    }
  });
});

test.each([
  ["shop", true],
  ["\u{1f600}".repeat(200), true],
  ["two words", true],
  ["", false],
  [" shop", false],
  ["shop\u00a0", false],
  ["sh\nop", false],
  ["\ud800", false],
  ["a".repeat(201), false],
])("the pattern of a name, as a client reads it, says of %j: %s", (name, fits) => {
  const pattern = schema("ProblemRequest").properties?.area?.pattern as string;
  expect(new RegExp(pattern, "u").test(name)).toBe(fits);
});

const byHand: RawSchema<object> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) },
};

test.each<[string, RawSchema<object>]>([
  ["cannot describe itself", byHand],
  ["fails to describe a rule in code", z.object({ eur: z.custom<number>((value) => value === 1) })],
])("a metric whose validator %s takes any object", (_, raw) => {
  const engine = createEngine([
    defineScorecard({
      name: "cost",
      dimension: "run",
      weight: 1,
      package: { name: "@acme/cost", version: "1.0.0" },
      metrics: [{ name: "spend", title: "Spend", weight: 1, raw, score: () => ({ score: 1, reasons: [] }) }],
    }),
  ]);
  const components: Document["components"] = { schemas: requestSchemas(engine) as Record<string, Schema> };
  expect(components.schemas["raw.cost.spend"]).toMatchObject({ title: "Spend", type: "object" });
  expect(components.schemas["raw.cost.spend"]?.properties ?? {}).toEqual({});
  expect(components.schemas["raw.cost.spend"]).not.toHaveProperty("required");
  expect(components.schemas.ScoreRequest?.oneOf).toMatchObject([{ title: "cost.spend" }]);
});
