import { gunzipSync } from "node:zlib";
import { nameFault } from "@maturity/core/wire";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewScore } from "../src/store/new-score.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";

const score: NewScore = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  score: 53.59,
  raw: {},
  scorer: "@maturity/security@1.0.0",
};

const { scorecards } = shippedEngine;
const registered = scorecards.flatMap(({ name, metrics }) =>
  metrics.map((metric) => ({ ...metric, labels: { scorecard: name, metric: metric.name } })),
);

describe.each(engines)("GET /metrics on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await service.database.knex.raw("TRUNCATE applications, metrics CASCADE");
  });

  const scrape = async (query = "", headers: Record<string, string> = {}) => {
    const response = await service.server.inject({ url: `/metrics${query}`, headers });
    expect(response.statusCode, response.payload).toBe(200);
    return response;
  };
  const samples = async (query = "") => parseExposition((await scrape(query)).payload);

  test("an empty store shows the weights alone", async () => {
    expect(await samples()).toEqual([
      ...registered.map(({ labels, weight }) => ({ name: "maturity_metric_weight", labels, value: weight })),
      ...registered.map(({ labels, maxAgeHours = 0 }) => ({
        ...{ name: "maturity_metric_max_age_seconds", labels, value: maxAgeHours * 3_600 },
      })),
      ...scorecards.map(({ name, dimension, weight }) => ({
        ...{ name: "maturity_scorecard_weight", labels: { scorecard: name, dimension }, value: weight },
      })),
    ]);
    expect(await samples("?collect[]=weights")).toEqual(await samples());
  });

  test("a score and when it was reported", async () => {
    const reported = await saveScores(service.database.knex, [score]);
    const { area, team, app, env, scorecard, metric } = score;
    const labels = { area, team, app, env, scorecard, metric };
    expect(await samples("?collect[]=scores")).toEqual([{ name: "maturity_score", labels, value: 53.59 }]);
    const [timestamp] = await samples("?collect[]=timestamps");
    expect(timestamp).toMatchObject({ name: "maturity_score_measured_timestamp_seconds", labels });
    expect(Math.abs((timestamp?.value ?? 0) * 1000 - reported.getTime())).toBeLessThanOrEqual(1);
  });

  test("a problem, open and resolved", async () => {
    const problem = { area: "a", team: "b", app: "c", env: "d", problem_type: "secret", severity: "high" as const };
    const labels = { ...problem };
    await storeProblem(service.database.knex, { ...problem, count: 2, details: [] });
    expect(await samples("?collect[]=problems")).toEqual([{ name: "maturity_problem_count", labels, value: 2 }]);
    await storeProblem(service.database.knex, { ...problem, severity: "low", count: 0, details: [] });
    expect(await samples("?collect[]=problems")).toEqual([
      { name: "maturity_problem_count", labels: { ...labels, severity: "low" }, value: 0 },
    ]);
  });

  test.each([0, 100, 0.01, 99.99, 50, 7.1])("the score %d comes out as it was stored", async (value) => {
    await saveScores(service.database.knex, [{ ...score, score: value }]);
    expect((await samples("?collect[]=scores")).map(({ value }) => value)).toEqual([value]);
  });

  test("filters narrow the rows, several values of one widen it again", async () => {
    for (const area of ["a", "b", "it's", "c\\d"]) {
      for (const env of ["prod", "staging"]) await saveScores(service.database.knex, [{ ...score, area, env }]);
    }
    const found = async (query: string) =>
      (await samples(`?collect[]=scores&${query}`)).map(({ labels }) => `${labels.area} ${labels.env}`).sort();
    expect(await found("area=a")).toEqual(["a prod", "a staging"]);
    expect(await found("area=a&area=b&env=prod")).toEqual(["a prod", "b prod"]);
    expect(await found("area=it%27s&env=prod")).toEqual(["it's prod"]);
    expect(await found("area=c%5Cd&env=prod")).toEqual(["c\\d prod"]);
    expect(await found("area=A")).toEqual([]);
    expect(await found("team=checkout&app=cart&env=staging&area=a")).toEqual(["a staging"]);
    expect(await found("area=x%27)%20OR%20(1=1")).toEqual([]);
  });

  test.each([
    ["an unknown family", "?collect[]=nope", "collect[]"],
    ["an unknown parameter", "?colect[]=scores", "colect[]"],
    ["an empty name", "?area=", "area"],
    ["more values than are taken", `?${"area=a&".repeat(250)}${"team=&".repeat(251)}`, ""],
    ["a name with a control character", "?team=%00", "team"],
    ["a name with a character that is not printable", "?app=shop%E2%80%8B", "app"],
  ])("%s is refused", async (_, query, path) => {
    const { statusCode, result } = await service.server.inject(`/metrics${query}`);
    expect(statusCode).toBe(400);
    expect(result).toMatchObject({ code: "invalid-payload", details: [{ path }] });
  });

  test.each([
    ["no preference", undefined, "text/plain; version=0.0.4; charset=utf-8"],
    ["anything", "*/*", "text/plain; version=0.0.4; charset=utf-8"],
    ["a browser", "text/html,application/xhtml+xml,*/*;q=0.8", "text/plain; version=0.0.4; charset=utf-8"],
    [
      "Prometheus 2 and 3",
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    ],
    [
      "text first",
      "text/plain;version=0.0.4;q=0.9,application/openmetrics-text;q=0.1",
      "text/plain; version=0.0.4; charset=utf-8",
    ],
  ])("Accept of %s", async (_, accept, type) => {
    const { headers, payload } = await scrape("", accept === undefined ? {} : { accept });
    expect(headers["content-type"]).toBe(type);
    expect(payload.endsWith("# EOF\n")).toBe(type.startsWith("application/openmetrics-text"));
  });

  test.each(["text/plain", "application/openmetrics-text"])(
    "%s is compressed when the scraper accepts it",
    async (accept) => {
      await saveScores(service.database.knex, [score]);
      const plain = await scrape("", { accept });
      const packed = await scrape("", { accept, "accept-encoding": "gzip" });
      expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
      expect(packed.headers["content-length"]).toBe(packed.rawPayload.length);
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload);
    },
  );

  test.each(["identity", "deflate", "br", "gzip;q=0"])(
    "Accept-Encoding of %s gets the text as it is",
    async (encoding) => {
      const { headers, rawPayload } = await scrape("", { "accept-encoding": encoding });
      expect(headers).not.toHaveProperty("content-encoding");
      expect(headers).toMatchObject({ "content-length": rawPayload.length, vary: "accept-encoding" });
    },
  );

  test("a part of a scrape cannot be asked for, since the next part would be of another snapshot", async () => {
    const { headers, payload } = await scrape("", { range: "bytes=0-9" });
    expect(headers).not.toHaveProperty("content-range");
    expect(payload).toBe((await scrape()).payload);
  });

  test("every accepted name reads back as the same string", async () => {
    const hostile = fc.constantFrom('"', "\\", "\\n", "{", "}", ",", "=", " ", "%", "é", "😀", "a", "'", "$1", "#");
    const name = fc
      .oneof(
        fc.array(hostile, { minLength: 1, maxLength: 20 }).map((parts) => parts.join("")),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
      )
      .filter((text) => nameFault(text) === undefined);
    await fc.assert(
      fc.asyncProperty(fc.record({ area: name, team: name, app: name, env: name }), async (names) => {
        await service.database.knex.raw("TRUNCATE applications, metrics CASCADE");
        await saveScores(service.database.knex, [{ ...score, ...names }]);
        const type = { problem_type: names.app, severity: "info" as const };
        await storeProblem(service.database.knex, { ...names, ...type, count: 1, details: [] });
        const [scored, problem] = await samples("?collect[]=scores&collect[]=problems");
        expect(scored?.labels).toEqual({ ...names, scorecard: score.scorecard, metric: score.metric });
        expect(problem?.labels).toEqual({ ...names, ...type });
      }),
      { numRuns: 200 },
    );
  });
});
