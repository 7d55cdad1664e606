import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";

const submission = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "image_scan" },
  raw: { critical: 0, high: 3, medium: 12 },
};

describe.each(engines)("POST /scores on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());
  beforeEach(() => service.database.knex.raw("TRUNCATE scores"));

  const send = async (body: unknown) => {
    const { statusCode, payload } = await service.server.inject({
      method: "POST",
      url: "/scores",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
    return { status: statusCode, ...JSON.parse(payload) };
  };
  const stored = async () =>
    (await service.database.knex.raw("SELECT app, score::float8 FROM scores_by_name ORDER BY app")).rows;

  test("a list is scored, stored and answered in its order", async () => {
    const dast = { ...submission, app: "till", metric: "dast", raw: { high: 0, medium: 8 } };
    const answer = await send({ scores: [submission, dast] });
    expect(answer).toMatchObject({ status: 200, reported_at: expect.stringMatching(/^\d{4}-/) });
    const { raw: _, ...key } = submission;
    expect(answer.scores[0]).toMatchObject({
      ...key,
      score: 53.59,
      scorer: expect.stringContaining("@maturity/security@"),
    });
    expect(answer.scores[1]).toMatchObject({ app: "till", score: 50, reasons: [{ field: "medium", value: 8 }] });
    expect(await stored()).toEqual([
      { app: "cart", score: 53.59 },
      { app: "till", score: 50 },
    ]);
  });

  test("of two with one key the later counts", async () => {
    await send({ scores: [submission, { ...submission, raw: { critical: 1, high: 0, medium: 0 } }] });
    expect(await stored()).toEqual([{ app: "cart", score: 50 }]);
  });

  test("a thousand at once", async () => {
    const scores = Array.from({ length: 1_000 }, (_, index) => ({ ...submission, app: `app-${index}` }));
    expect((await send({ scores })).scores).toHaveLength(1_000);
    expect(await stored()).toHaveLength(1_000);
  });

  test("one fault refuses all, and every fault is listed by its index", async () => {
    const scores = [
      submission,
      { ...submission, raw: { ...submission.raw, critical: "1" } },
      { ...submission, metric: "sla" },
      { ...submission, app: "", color: "red" },
      null,
      [],
    ];
    const answer = await send({ scores });
    expect(answer).toMatchObject({ status: 400, code: "invalid-payload" });
    expect(answer.details.map(({ path }: { path: string }) => path)).toEqual([
      ...["scores[1].raw.critical", "scores[2].metric", "scores[3].app", "scores[3].color", "scores[4]", "scores[5]"],
    ]);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ["an empty list", { scores: [] }, "scores"],
    ["no list", { scores: submission }, "scores"],
    ["nothing", {}, "scores"],
    ["1,001 entries", { scores: Array.from({ length: 1_001 }, () => ({})) }, "scores"],
    ["a field beside it", { scores: [submission], score: 1 }, "score"],
    [
      "an entry of very many fields",
      { scores: [Object.fromEntries(Array.from({ length: 200 }, (_, i) => [i, i]))] },
      "scores[0]",
    ],
  ])("%s is refused", async (_, body, path) => {
    expect(await send(body)).toMatchObject({ status: 400, code: "invalid-payload", details: [{ path }] });
    expect(await stored()).toEqual([]);
  });

  test("of very many faults the first hundred are listed, and ten shown", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${"f".repeat(500)}${index}`, 0]));
    for (const entry of [{}, unknown]) {
      const answer = await send({ scores: Array.from({ length: 20 }, () => entry) });
      expect(answer.details).toHaveLength(100);
      expect(answer.message).toMatch(/; and 90 more$/);
      expect(JSON.stringify(answer).length).toBeLessThan(50_000);
    }
  });

  test("a raw of more than 2,000 values is refused by its index, and one of as many is taken", async () => {
    const { raw } = submission;
    const withFields = (count: number) => ({
      ...submission,
      raw: { ...raw, ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0])) },
    });
    expect(await send({ scores: [withFields(1_997), withFields(50_000)] })).toMatchObject({
      status: 400,
      details: [{ path: "", message: expect.stringContaining("50,000 values") }],
    });
    expect(await send({ scores: [withFields(1_997), withFields(1_998)] })).toMatchObject({
      status: 400,
      code: "invalid-payload",
      details: [{ path: "scores[1].raw", message: expect.stringContaining("2,000 values") }],
    });
    expect(await send({ scores: [withFields(1_997)] })).toMatchObject({ status: 200 });
  });
});
