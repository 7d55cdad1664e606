import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BadRequest, badBodies, badFieldNames, missingFields } from "./support/bad-bodies.ts";
import { badRaw } from "./support/bad-raw.ts";
import { expectRefusal, post, rows } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService } from "./support/service.ts";

const good = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
};

const names = { area: 200, team: 200, app: 200, env: 200, pipeline_id: 200, project_repo: 2048 };
const { metrics = [] } = shippedEngine.scorecards.find(({ name }) => name === good.scorecard) ?? {};
const invalidRaw = { code: "invalid-raw" };
const text = JSON.stringify(good);

const cases: BadRequest[] = [
  ...badBodies(good),
  ...missingFields(good, Object.keys(good)),
  ...badFieldNames(good, names),
  ...badRaw(good),
  ...["scorecard", "metric"].flatMap((field): BadRequest[] => [
    { name: `${field} null`, payload: { ...good, [field]: null }, paths: [field] },
    { name: `${field} a number`, payload: { ...good, [field]: 7 }, paths: [field] },
    { name: `${field} a list`, payload: { ...good, [field]: ["security"] }, paths: [field] },
    { name: `${field} empty`, payload: { ...good, [field]: "" }, paths: [field] },
    { name: `${field} of 201 letters`, payload: { ...good, [field]: "a".repeat(201) }, paths: [field] },
  ]),
  { name: "raw null", payload: { ...good, raw: null }, paths: ["raw"] },
  { name: "raw a list", payload: { ...good, raw: [] }, paths: ["raw"] },
  { name: "raw a text", payload: { ...good, raw: "{}" }, paths: ["raw"] },
  { name: "raw a number", payload: { ...good, raw: 5 }, paths: ["raw"] },
  {
    name: "a mistyped optional field",
    payload: { ...good, pipelineId: "1" },
    paths: ["pipelineId"],
    message: /not a field/,
  },
  { name: "its own time", payload: { ...good, reported_at: "2020-01-01T00:00:00Z" }, paths: ["reported_at"] },
  { name: "its own score", payload: { ...good, score: 100 }, paths: ["score"] },
  { name: "a field named constructor", payload: { ...good, constructor: { prototype: {} } }, paths: ["constructor"] },
  { name: "a field named toString", payload: { ...good, toString: 1 }, paths: ["toString"] },
  { name: "an empty object", payload: {}, paths: ["area", "team", "app", "env", "scorecard", "metric", "raw"] },
  { name: "__proto__ in raw", payload: text.replace('"raw":{', '"raw":{"__proto__":{"critical":0},'), paths: [""] },
  {
    name: "a wrong last one of two areas",
    payload: text.replace("{", '{"area":"a",').replace('"shop"', "7"),
    paths: ["area"],
  },
  {
    name: "a scorecard that is not installed",
    payload: { ...good, scorecard: "Security" },
    code: "unknown-scorecard",
    paths: ["scorecard"],
    message: /named "Security"; installed: security, reliability, application$/,
  },
  {
    name: "a scorecard with a name of every object",
    payload: { ...good, scorecard: "constructor" },
    code: "unknown-scorecard",
    paths: ["scorecard"],
  },
  {
    name: "a metric that is not installed",
    payload: { ...good, metric: "imagescan" },
    code: "unknown-metric",
    paths: ["metric"],
    message: new RegExp(`named "imagescan"; installed: ${metrics.map(({ name }) => name).join(", ")}$`),
  },
  {
    name: "a metric of another scorecard",
    payload: { ...good, metric: "sla", raw: { availability_pct: 99 } },
    code: "unknown-metric",
    paths: ["metric"],
  },
  {
    name: "a scorecard of another metric",
    payload: { ...good, scorecard: "reliability" },
    code: "unknown-metric",
    paths: ["metric"],
    message: /installed: sla, change_failure_rate, mttr, mttd$/,
  },
  {
    name: "a number beyond all doubles",
    payload: text.replace('"high":3', '"high":1e400'),
    ...invalidRaw,
    paths: ["raw.high"],
  },
  {
    name: "a number beyond all doubles in an unknown raw field",
    payload: text.replace('"high":3', '"high":3,"more":-1e400'),
    ...invalidRaw,
    paths: ["raw.more"],
  },
  {
    name: "NUL in an unknown raw field",
    payload: { ...good, raw: { ...good.raw, scanner: { name: ["a", "\u0000"] } } },
    ...invalidRaw,
    paths: ["raw.scanner.name[1]"],
  },
  {
    name: "a lone surrogate in an unknown raw field",
    payload: { ...good, raw: { ...good.raw, scanner: "\ud800" } },
    ...invalidRaw,
    paths: ["raw.scanner"],
  },
  {
    name: "NUL in the name of an unknown raw field",
    payload: { ...good, raw: { ...good.raw, "a\u0000": 1 } },
    ...invalidRaw,
    paths: ["raw"],
  },
  {
    name: "a backslash in the name of an unknown raw field",
    payload: { ...good, raw: { ...good.raw, scanner: [{ "C:\\a": 1 }] } },
    ...invalidRaw,
    paths: ["raw.scanner[0]"],
  },
  ...[30_000, 3_000].map(
    (depth): BadRequest => ({
      name: `an unknown raw field nested ${depth} deep`,
      payload: text.replace('"high":3', `"high":3,"deep":${"[".repeat(depth)}${"]".repeat(depth)}`),
      paths: ["raw"],
      message: /holds more than 2,000 values/,
    }),
  ),
  ...[40_000, 1_998].map(
    (count): BadRequest => ({
      name: `${count} raw fields beside those of the metric`,
      payload: {
        ...good,
        raw: { ...good.raw, ...Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 0])) },
      },
      paths: ["raw"],
      message: /holds more than 2,000 values in all, keys and items at every depth/,
    }),
  ),
  {
    name: "500,000 lists in each other",
    payload: text.replace('"high":3', `"high":3,"deep":${"[".repeat(500_000)}${"]".repeat(500_000)}`),
    paths: [""],
    message: /the body holds more than 50,000 values in all/,
  },
  {
    name: "too many raw values and another fault",
    payload: { ...good, area: 1, raw: { ...good.raw, list: Array.from({ length: 5_000 }, () => null) } },
    paths: ["area", "raw"],
  },
  {
    name: "an unknown raw field nested 1,000 deep",
    payload: text.replace('"high":3', `"high":3,"deep":${"[".repeat(1_000)}${"]".repeat(1_000)}`),
    ...invalidRaw,
    paths: [`raw.deep${"[0]".repeat(31)}`],
    message: /nests deeper than 32 levels/,
  },
  {
    name: "several faults of the body and of raw",
    payload: { ...good, area: " ", env: undefined, extra: 1, raw: { critical: "0", high: -1 } },
    paths: ["area", "env", "extra", "raw.critical", "raw.high", "raw.medium"],
    message:
      /^area must be .*env is required.*extra is not a field.*raw\.critical .*raw\.high .*raw\.medium is required/,
  },
  {
    name: "a fault of the body and an unknown metric",
    payload: { ...good, area: "", metric: "x" },
    paths: ["area", "metric"],
  },
  {
    name: "an unknown scorecard and no raw",
    payload: { ...good, scorecard: "x", raw: undefined },
    paths: ["scorecard", "raw"],
  },
  {
    name: "an unknown scorecard and no metric",
    payload: { ...good, scorecard: "x", metric: undefined },
    paths: ["scorecard", "metric"],
  },
];

describe.each(engines)("POST /score on %s refuses", (kind) => {
  let service: TestService;
  let before: unknown;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/score", { ...good, pipeline_id: "1", project_repo: "r" });
    before = await rows(service, "scores");
  });
  afterAll(() => service.stop());

  test.each(cases)("$name, and stores nothing", async ({ payload, headers, ...refusal }) => {
    expectRefusal(await post(service, "/score", payload, headers), refusal);
    expect(await rows(service, "scores")).toEqual(before);
  });
});
