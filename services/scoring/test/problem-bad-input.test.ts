import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BadRequest, badBodies, badFieldNames, missingFields } from "./support/bad-bodies.ts";
import { expectRefusal, post, rows } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";

const good = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "terraform_secret",
  severity: "high",
  count: 2,
  details: [{ file: "main.tf", line: 3, description: "AWS key" }],
};

const names = { area: 200, team: 200, app: 200, env: 200, problem_type: 200, chat_channel: 200 };

/** A report whose only detail is this one, and where it is wrong. */
const detail = (name: string, value: unknown, path: string): BadRequest => ({
  name: `a detail ${name}`,
  payload: { ...good, details: [value] },
  paths: [`details[0]${path}`],
});

/** As many as a detail with a file may have before it is refused for their number. */
const unknown = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`f${index}`, 0]));
const manyFields = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [index.toString(36), 0]));

const wrongCounts: Readonly<Record<string, unknown>> = {
  null: null,
  "as text": "1",
  "a flag": true,
  "below 0": -1,
  "a fraction": 1.5,
  "above 32 bits": 2_147_483_648,
  "beyond safe integers": 1e21,
};

const wrongSeverities = [null, 1, "", "severe", "high ", "h\u0456gh", "\u0130nfo", ["high"], "constructor"];

const cases: BadRequest[] = [
  ...badBodies(good),
  ...missingFields(good, ["area", "team", "app", "env", "problem_type", "severity"]),
  ...badFieldNames(good, names),
  ...wrongSeverities.map((severity): BadRequest => {
    return { name: `severity ${JSON.stringify(severity)}`, payload: { ...good, severity }, paths: ["severity"] };
  }),
  {
    name: "an unknown severity, and says which there are",
    payload: { ...good, severity: "severe" },
    paths: ["severity"],
    message: /^severity must be one of critical, high, medium, low, info$/,
  },
  ...Object.entries(wrongCounts).map(([name, count]): BadRequest => {
    return { name: `count ${name}`, payload: { ...good, count, details: undefined }, paths: ["count"] };
  }),
  {
    name: "no count",
    payload: { ...good, count: undefined, details: undefined },
    paths: ["count"],
    message: /^count is required$/,
  },
  {
    name: "no count, but details",
    payload: { ...good, count: undefined },
    paths: ["count", "details"],
    message: /details cannot be checked without a valid count/,
  },
  {
    name: "a number beyond all doubles",
    payload: JSON.stringify(good).replace('"count":2', '"count":1e400'),
    paths: ["count"],
  },
  {
    name: "a mistyped optional field",
    payload: { ...good, channel: "#x" },
    paths: ["channel"],
    message: /not a field/,
  },
  { name: "its own time", payload: { ...good, opened_at: "2020-01-01T00:00:00Z" }, paths: ["opened_at"] },
  { name: "a field named constructor", payload: { ...good, constructor: {} }, paths: ["constructor"] },
  { name: "details null", payload: { ...good, details: null }, paths: ["details"] },
  { name: "details a text", payload: { ...good, details: "main.tf" }, paths: ["details"] },
  { name: "details an object", payload: { ...good, details: { 0: { file: "a" } } }, paths: ["details"] },
  {
    name: "more details than count",
    payload: { ...good, count: 1, details: [{ file: "a" }, { file: "b" }] },
    paths: ["details"],
    message: /no more than count/,
  },
  { name: "details of a resolved problem", payload: { ...good, count: 0 }, paths: ["details"] },
  {
    name: "1,001 details",
    payload: { ...good, count: 5_000, details: Array.from({ length: 1_001 }, () => ({ file: "a" })) },
    paths: ["details"],
    message: /at most 1,000/,
  },
  {
    name: "20,000 details",
    payload: { ...good, count: 20_000, details: Array.from({ length: 20_000 }, () => ({ file: "x" })) },
    paths: ["details"],
    message: /at most 1,000 entries/,
  },
  {
    name: "400 details of 99 unknown fields each",
    payload: { ...good, count: 400, details: Array.from({ length: 400 }, () => ({ file: "x", ...unknown })) },
    paths: Array.from({ length: 100 }, (_, index) => `details[${index < 99 ? 0 : 1}].f${index % 99}`),
    message: /f9 is not a field of this request; and 90 more$/,
  },
  {
    name: "faults of the body and of details",
    payload: { ...good, area: "", count: 2, details: [{ file: "a" }, { line: 1 }] },
    paths: ["area", "details[1].file"],
  },
  detail("with 40,000 fields", manyFields, ""),
  detail("that is a text", "main.tf", ""),
  detail("that is null", null, ""),
  detail("that is a list", ["main.tf"], ""),
  detail("without a file", { line: 1 }, ".file"),
  detail("with file null", { file: null }, ".file"),
  detail("with a number as file", { file: 1 }, ".file"),
  detail("with an empty file", { file: "" }, ".file"),
  detail("with a file of 4,097 letters", { file: "a".repeat(4_097) }, ".file"),
  detail("with a file of 4,097 emoji", { file: "\u{1f600}".repeat(4_097) }, ".file"),
  detail("with NUL in the file", { file: "a\u0000" }, ".file"),
  detail("with a lone surrogate in the file", { file: "\ud800" }, ".file"),
  detail("with line null", { file: "a", line: null }, ".line"),
  detail("with a text as line", { file: "a", line: "3" }, ".line"),
  detail("with line -1", { file: "a", line: -1 }, ".line"),
  detail("with line 1.5", { file: "a", line: 1.5 }, ".line"),
  detail("with description null", { file: "a", description: null }, ".description"),
  detail("with a number as description", { file: "a", description: 1 }, ".description"),
  detail("with a description of 4,001 letters", { file: "a", description: "a".repeat(4_001) }, ".description"),
  detail("with NUL in the description", { file: "a", description: "\u0000" }, ".description"),
  detail("with a lone surrogate in the description", { file: "a", description: "a\udfff" }, ".description"),
  detail("with an unknown field", { file: "a", column: 1 }, ".column"),
  {
    name: "__proto__ in a detail",
    payload: JSON.stringify(good).replace('"file"', '"__proto__":{"file":"a"},"file"'),
    paths: [""],
  },
  {
    name: "a detail nested 400,000 deep",
    payload: JSON.stringify(good).replace('"AWS key"', "[".repeat(400_000) + "]".repeat(400_000)),
    paths: [""],
    message: /holds more than 50,000 values/,
  },
  {
    name: "a detail nested 1,000 deep",
    payload: JSON.stringify(good).replace('"AWS key"', "[".repeat(1_000) + "]".repeat(1_000)),
    paths: ["details[0].description"],
  },
  {
    name: "an empty object",
    payload: {},
    paths: ["area", "team", "app", "env", "problem_type", "severity", "count"],
  },
  {
    name: "several faults at once",
    payload: {
      ...good,
      area: "",
      severity: "x",
      count: 3,
      details: [{ file: "a" }, { line: -1 }, { file: "" }],
      more: 1,
    },
    paths: ["area", "severity", "details[1].file", "details[1].line", "details[2].file", "more"],
  },
];

describe.each(engines)("POST /problem/scan-result on %s refuses", (kind) => {
  let service: TestService;
  let before: unknown;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await post(service, "/problem/scan-result", { ...good, chat_channel: "#security" });
    before = await rows(service, "problems");
  });
  afterAll(() => service.stop());

  test.each(cases)("$name, and leaves what is stored as it was", async ({ payload, headers, ...refusal }) => {
    expectRefusal(await post(service, "/problem/scan-result", payload, headers), refusal);
    expect(await rows(service, "problems")).toEqual(before);
  });
});
