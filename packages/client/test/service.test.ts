import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { startService, type TestService, useService } from "../../../services/scoring/test/support/service.ts";
import { type AnySubmission, type Client, createClient, type ScoreRequest } from "../src/index.ts";
import { hasty } from "./support/listener.ts";
import { imageScan, secret, target } from "./support/reports.ts";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  client = createClient({ url: service.server.info.uri });
});
afterAll(() => service.stop());

describe("submit", () => {
  test("gives the score and why", async () => {
    expect(await client.submit(imageScan)).toEqual({
      ...target,
      scorecard: "security",
      metric: "image_scan",
      stored: "current",
      score: 53.59,
      reasons: [
        {
          ...{ field: "high", value: 3, text: "3 high findings leave 66 % of the score; every 5 of them halve it" },
          ...{ code: "leaves", values: { share: expect.any(Number), halved_by: 5 } },
        },
        {
          field: "medium",
          value: 12,
          text: "12 medium findings leave 81 % of the remaining score; every 40 of them halve it",
          ...{ code: "leaves", values: { share: expect.any(Number), halved_by: 40 } },
        },
      ],
      scorer: expect.stringMatching(/^@maturity\/security@/),
      reported_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test("a refusal is the service's own, with every fault", async () => {
    const wrong = { ...imageScan, team: "", raw: { critical: -1, high: "3", medium: 0 } } as unknown as ScoreRequest;
    await expect(client.submit(wrong)).rejects.toMatchObject({
      name: "MaturityClientError",
      code: "invalid-payload",
      status: 400,
      attempts: 1,
      details: [{ path: "team" }, { path: "raw.critical" }, { path: "raw.high" }],
    });
  });

  test("raw is typed by the metric, and of any scorecard where asked for", async () => {
    // @ts-expect-error: a flag is no count
    const wrong = client.submit({ ...target, scorecard: "security", metric: "secret_scan", raw: { critical: 0 } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid-raw" });
    const any = createClient<AnySubmission>({ url: service.server.info.uri });
    const unknown = any.submit({ ...target, scorecard: "cost", metric: "budget", raw: { used_pct: 1 } });
    await expect(unknown).rejects.toMatchObject({ code: "unknown-scorecard" });
  });
});

describe("submitAll", () => {
  const many = (count: number, area: string): ScoreRequest[] =>
    Array.from({ length: count }, (_, index) => ({ ...imageScan, area, app: `app ${index}` }));

  test("stores more than one request takes, in order, and shows how far it is", async () => {
    const progress: number[] = [];
    const scores = many(2_500, "many");
    const stored = await client.submitAll(scores, { onProgress: (count) => progress.push(count) });
    expect(stored.map(({ app }) => app)).toEqual(scores.map(({ app }) => app));
    expect(stored[2_499]).toMatchObject({ score: 53.59, reported_at: expect.any(String) });
    expect(progress).toEqual([1_000, 2_000, 2_500]);
    expect(await client.scores({ area: "many" }).toArray()).toHaveLength(2_500);
  });

  test("cuts where a request would be too large", async () => {
    const wide = "\u{1f600}".repeat(200);
    const scores = many(900, "wide").map((score) => ({ ...score, team: wide, env: wide, pipeline_id: wide }));
    expect(await client.submitAll(scores)).toHaveLength(900);
  });

  test("cuts where a request would hold too many values", async () => {
    const columns = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, 0]));
    const scores = many(1_000, "columns").map((score) => ({ ...score, raw: { ...imageScan.raw, ...columns } }));
    expect(await client.submitAll(scores as ScoreRequest[])).toHaveLength(1_000);
  });

  test("an error counts from the beginning of the list, and says what is stored", async () => {
    const scores = many(1_500, "partly");
    const wrong = { ...imageScan, raw: { critical: 0.5, high: 0, medium: 0 } };
    const run = client.submitAll([...scores.slice(0, 1_234), wrong, ...scores.slice(1_235)]);
    await expect(run).rejects.toMatchObject({
      code: "invalid-payload",
      message: expect.stringMatching(/^scores\[1234\]\.raw\.critical must be an integer/),
      details: [{ path: "scores[1234].raw.critical" }],
      stored: 1_000,
    });
    expect(await client.scores({ area: "partly" }).toArray()).toHaveLength(1_000);
  });

  test("an empty list sends nothing", async () => {
    expect(await client.submitAll([])).toEqual([]);
  });
});

test("a problem opens and is resolved", async () => {
  expect(await client.reportProblem(secret)).toMatchObject({ ...secret, alert: "disabled" });
  expect(await client.problems({ app: "cart" }).toArray()).toMatchObject([
    { ...target, problem_type: "terraform_secret", severity: "high", count: 1 },
  ]);
  const resolved = await client.reportProblem({ ...secret, count: 0, details: [] });
  expect(resolved).toMatchObject({ alert: "not_needed", opened_at: null });
  expect(await client.problems({ app: "cart" }).toArray()).toEqual([]);
  expect(await client.problems({ app: "cart", all: true }).toArray()).toMatchObject([{ count: 0 }]);
});

test("while the database is gone it waits as long as the service asks", async () => {
  const { server, database } = await useService({ databaseUrl: "pglite::memory:" });
  await server.start();
  await database.close();
  const { pauses, createClient } = hasty();
  const patient = createClient({ url: server.info.uri, token: undefined });
  expect(await patient.health()).toBe("unavailable");
  await expect(patient.submit(imageScan)).rejects.toMatchObject({
    code: "store-unavailable",
    status: 503,
    message: expect.stringMatching(/nothing is acknowledged.* \(7 attempts\)$/),
  });
  expect(pauses).toEqual([5_250, 5_500, 6_000, 7_000, 9_000, 13_000]);
});

describe("with access tokens", () => {
  let guarded: TestService;
  let token: string;
  beforeAll(async () => {
    guarded = await startService({ auth: "token" });
    await guarded.server.start();
    token = createToken();
    const bounds = { area: "shop" };
    const scopes = ["score:write", "read"] as const;
    await insertToken(guarded.database.knex, { name: "test", hash: hashToken(token), scopes, bounds });
  });
  afterAll(() => guarded.stop());
  const withToken = (token?: string | (() => Promise<string>)) => createClient({ url: guarded.server.info.uri, token });

  test("a good one opens", async () => {
    expect(await withToken(token).submit(imageScan)).toMatchObject({ score: 53.59 });
    expect(
      await withToken(async () => token)
        .scores()
        .toArray(),
    ).toHaveLength(1);
  });

  test("of a list, every entry outside of its bounds is named, the first hundred of them", async () => {
    const list = Array.from({ length: 1_500 }, (_, index) => ({ ...imageScan, app: `app ${index}` }));
    const outside = (from: number, to: number) =>
      list.map((score, index) => (index >= from && index < to ? { ...score, area: "bank" } : score));
    await expect(withToken(token).submitAll(outside(1_003, 1_005))).rejects.toMatchObject({
      code: "forbidden",
      status: 403,
      message: 'you are bound to the area "shop": scores[1003].area must be "shop"; scores[1004].area must be "shop"',
      details: [{ path: "scores[1003].area" }, { path: "scores[1004].area" }],
      stored: 1_000,
    });
    const { details } = await withToken(token)
      .submitAll(outside(0, 300))
      .catch((error) => error);
    expect(details.map(({ path }: { path: string }) => path)).toEqual(
      Array.from({ length: 100 }, (_, index) => `scores[${index}].area`),
    );
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ["no token", () => withToken().submit(imageScan), "unauthorized"],
    ["an unknown token", () => withToken(createToken()).submit(imageScan), "unauthorized"],
    ["another area", () => withToken(token).submit({ ...imageScan, area: "bank" }), "forbidden"],
    ["another scope", () => withToken(token).reportProblem(secret), "forbidden"],
    ["a read of another area", () => withToken(token).scores({ area: "bank" }).toArray(), "forbidden"],
    ["a token of two lines", () => withToken(`${token}\n`).submit(imageScan), "invalid-token"],
    ["an empty token", () => withToken("").submit(imageScan), "invalid-token"],
  ])("%s is refused, and no error shows a token", async (_, call, code) => {
    const error = await call().catch((error) => error);
    expect(error).toMatchObject({ name: "MaturityClientError", code, attempts: 1 });
    expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(token);
  });
});
