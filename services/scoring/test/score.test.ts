import { gzipSync } from "node:zlib";
import { createEngine, defineScorecard, type Outcome } from "@maturity/core";
import Joi from "joi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mebibyte } from "./support/bad-bodies.ts";
import { edgesOfRaw } from "./support/bad-raw.ts";
import { readableLog } from "./support/log.ts";
import { expectRefusal, nextMillisecond, post, rows } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";

const submission = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: 3, medium: 12 },
};

describe.each(engines)("POST /score on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  /** The rows of one area, so that each test has its own. */
  const stored = async (area: string) => (await rows(service, "scores")).filter((row) => row.area === area);
  const send = (changes: object) => post(service, "/score", { ...submission, ...changes });

  test("answers with the key, the score, its reasons, the scorer and the time of the database", async () => {
    const { status, headers, body } = await send({ area: "answer" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const { raw: _, ...key } = submission;
    expect(body).toEqual({
      ...key,
      area: "answer",
      score: 53.59,
      reasons: [
        {
          ...{ field: "high", value: 3, text: expect.stringContaining("3") },
          ...{ code: "leaves", values: { share: expect.closeTo(0.6598), halved_by: 5 } },
        },
        {
          ...{ field: "medium", value: 12, text: expect.stringContaining("12") },
          ...{ code: "leaves", values: { share: expect.closeTo(0.8123), halved_by: 40 } },
        },
      ],
      scorer: expect.stringMatching(/^@maturity\/security@\d+\.\d+\.\d+$/),
      stored: "current",
      reported_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const [row] = await stored("answer");
    expect(row?.reported_at).toEqual(new Date(body.reported_at as string));
    const { rows: times } = await service.database.knex.raw(
      "SELECT reported_at <= now() AS past FROM scores_by_name WHERE area = 'answer'",
    );
    expect(times).toEqual([{ past: true }]);
  });

  test("stores the key, the score, the raw input and what came with it", async () => {
    const { body } = await send({ area: "row", pipeline_id: "cart/4711", project_repo: "https://git/a?b=%20" });
    expect(await stored("row")).toMatchObject([
      {
        ...submission,
        area: "row",
        score: "53.59",
        scorer: body.scorer,
        pipeline_id: "cart/4711",
        project_repo: "https://git/a?b=%20",
      },
    ]);
  });

  test("a second report replaces the first one whole, what it leaves out included", async () => {
    const first = await send({
      area: "again",
      pipeline_id: "1",
      project_repo: "r",
      raw: { ...submission.raw, old: 1 },
    });
    await service.database.knex.raw(
      "UPDATE scores SET scorer = 'former@0.0.1' WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'again')",
    );
    await nextMillisecond(service);
    const second = await send({ area: "again", raw: { critical: 1, high: 0, medium: 0, tool: "x" } });
    expect(await stored("again")).toMatchObject([
      {
        score: "50.00",
        raw: { critical: 1, high: 0, medium: 0, tool: "x" },
        scorer: second.body.scorer,
        pipeline_id: null,
        project_repo: null,
      },
    ]);
    expect((await stored("again"))[0]?.raw).not.toHaveProperty("old");
    expect(second.body.reported_at).not.toBe(first.body.reported_at);
  });

  test("unknown raw fields are stored as they came and do not change the score", async () => {
    const more = {
      scanner: { name: "trivy", "": [1.5, -0.25, 1e21, true, null, { "a.b": "\u00e9\u{1f600}" }] },
      constructor: { prototype: { polluted: true } },
      toString: "text",
      HIGH: 99,
    };
    const { body } = await send({ area: "more", raw: { ...submission.raw, ...more } });
    expect(body.score).toBe(53.59);
    expect((await stored("more"))[0]?.raw).toEqual({ ...submission.raw, ...more });
    expect({}).not.toHaveProperty("polluted");
  });

  test.each([
    { metric: "secret_scan", scorecard: "security", field: "found", given: 1, score: 0 },
    { metric: "secret_scan", scorecard: "security", field: "found", given: 0, score: 100 },
    { metric: "health_check", scorecard: "application", field: "enabled", given: 1, score: 100 },
    { metric: "libs_secrets", scorecard: "application", field: "enabled", given: 0, score: 0 },
    { metric: "unique_db_user", scorecard: "application", field: "enabled", given: true, score: 100 },
  ])("$metric takes $field $given and stores it so", async ({ metric, scorecard, field, given, score }) => {
    const { body } = await send({ area: `flag ${metric} ${given}`, scorecard, metric, raw: { [field]: given } });
    expect(body.score).toBe(score);
    expect((await stored(`flag ${metric} ${given}`))[0]?.raw).toEqual({ [field]: given });
  });

  test.each(edgesOfRaw())("$metric takes $raw", async ({ metric: path, raw }) => {
    const [scorecard, metric] = path.split(".");
    const area = `edge ${path} ${JSON.stringify(raw)}`;
    const { status, body } = await send({ area, scorecard, metric, raw });
    expect({ status, score: body.score }).toEqual({ status: 200, score: expect.any(Number) });
    expect(await stored(area)).toMatchObject([{ raw, score: (body.score as number).toFixed(2) }]);
  });

  test.each([
    { availability_pct: 99.123456789012, score: 56.17 },
    { availability_pct: 99.95, score: 100 },
    { availability_pct: 95.0000004, score: 0 },
    { availability_pct: 0.1 + 0.2, score: 0 },
  ])("a number of many digits is stored as it came: $availability_pct", async ({ availability_pct, score }) => {
    const area = `precision ${availability_pct}`;
    const { body } = await send({ area, scorecard: "reliability", metric: "sla", raw: { availability_pct } });
    expect(body.score).toBe(score);
    expect(await stored(area)).toMatchObject([{ raw: { availability_pct }, score: score.toFixed(2) }]);
  });

  test("minus zero counts as zero", async () => {
    const payload = JSON.stringify({ ...submission, area: "minus" }).replace('"critical":0', '"critical":-0');
    const { body } = await post(service, "/score", payload);
    expect(body.score).toBe(53.59);
    expect((await stored("minus"))[0]?.raw).toEqual(submission.raw);
  });

  test("of a key that stands twice the last value counts", async () => {
    const payload = JSON.stringify({ ...submission, area: "last" }).replace("{", '{"area":"first",');
    expect((await post(service, "/score", payload)).body.area).toBe("last");
    expect(await stored("first")).toEqual([]);
  });

  test.each([
    { about: "with a charset", headers: { "content-type": "application/json; charset=utf-8" } },
    { about: "in capitals", headers: { "content-type": "Application/JSON" } },
  ])("takes a content type $about", async ({ headers }) => {
    expect(await post(service, "/score", submission, headers)).toMatchObject({ status: 200 });
  });

  test("takes a gzip body", async () => {
    const payload = gzipSync(JSON.stringify({ ...submission, area: "gzip" }));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(await post(service, "/score", payload, headers)).toMatchObject({ status: 200, body: { area: "gzip" } });
  });

  test("takes a body of exactly 1 MiB", async () => {
    expect(await post(service, "/score", JSON.stringify(submission).padEnd(mebibyte))).toMatchObject({ status: 200 });
  });

  test.each([2, 50])("%i writers at once on one key leave one row, whole from one of them", async (writers) => {
    const area = `race of ${writers}`;
    const counts = Array.from({ length: writers }, (_, index) => index);
    const answers = await Promise.all(
      counts.map((high) => send({ area, raw: { ...submission.raw, high }, pipeline_id: String(high) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(counts.map(() => 200));
    const found = await stored(area);
    expect(found).toHaveLength(1);
    const high = Number(found[0]?.pipeline_id);
    expect(found[0]).toMatchObject({
      raw: { ...submission.raw, high },
      score: Number(answers[high]?.body.score).toFixed(2),
    });
  });

  test("writers at once on different keys leave a row each", async () => {
    const apps = Array.from({ length: 100 }, (_, index) => `app-${index}`);
    await Promise.all(apps.map((app) => send({ area: "many", app })));
    expect((await stored("many")).map(({ app }) => app).sort()).toEqual([...apps].sort());
  });
});

describe("a scorer that fails", () => {
  const outcome =
    (score: unknown, value: unknown = 1) =>
    () =>
      ({ score, reasons: [{ field: "x", value, text: "x" }] }) as Outcome;
  const failing: Readonly<Record<string, () => Outcome>> = {
    throws: () => {
      throw new Error("hunter2: INSERT INTO x");
    },
    returns_nan: outcome(Number.NaN),
    returns_101: outcome(101),
    returns_below_0: outcome(-0.01),
    returns_infinity: outcome(Number.POSITIVE_INFINITY),
    returns_text: outcome("80"),
    returns_nothing: () => undefined as unknown as Outcome,
    gives_no_reasons: () => ({ score: 1, reasons: [] }),
    gives_a_bigint: outcome(80, 12n),
    gives_too_much: outcome(80, "x".repeat(mebibyte)),
  };
  const engine = createEngine([
    defineScorecard({
      name: "bad",
      dimension: "run",
      weight: 1,
      package: { name: "bad", version: "1.0.0" },
      metrics: Object.entries(failing).map(([name, score]) => {
        return { name, title: name, weight: 1, raw: Joi.object().unknown(), score };
      }),
    }),
  ]);

  test.each(Object.keys(failing))("and %s is answered with 500, stored nowhere, and logged once", async (metric) => {
    const { logger, lines, from } = readableLog();
    const service = await useService({ engine, logger });
    const answer = await post(service, "/score", { ...submission, scorecard: "bad", metric, raw: {} });
    expectRefusal(answer, {
      status: 500,
      code: "scorer-failed",
      message: new RegExp(`^bad.${metric} of bad@1.0.0 `),
    });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
    expect(await rows(service, "scores")).toEqual([]);
    expect(lines.filter((line) => line.includes(`bad.${metric} of bad@1.0.0`))).toHaveLength(1);
    expect(from(50)).toHaveLength(1);
  });
});
