import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { prune } from "../src/history/prune.ts";
import { useChatServer } from "./support/chat-server.ts";
import { makeKnown } from "./support/known-names.ts";
import { problem } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { type Answer, expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, until, useService } from "./support/service.ts";
import { listed } from "./support/waivers.ts";

const json = { "content-type": "application/json" };
const cart = { area: "shop", team: "checkout", app: "cart" };
const waiver = { kind: "not_applicable", ...cart, scorecard: "security", reason: "a library", owner: "ann" };
const dast = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

/** Posts under a key. */
const make = async (
  service: TestService,
  key: string,
  body: object,
  path = "/waivers",
  headers: Record<string, string> = {},
) => {
  if (path === "/waivers") await makeKnown(service, cart);
  return post(service, path, body, { ...json, ...headers, "idempotency-key": key });
};

const isReplayed = ({ headers }: Answer) => headers["idempotency-replayed"];

const actions = async (service: TestService) => (await readPage(service, "/audit")).total;

describe.each(engines)("a key on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  test("makes a waiver once, and gives the first answer again", async () => {
    const first = await make(service, "one", waiver);
    const again = await make(service, "one", waiver);
    expect([first.status, isReplayed(first)]).toEqual([201, undefined]);
    expect([again.status, isReplayed(again), again.body]).toEqual([201, "true", first.body]);
    expect(await listed(service)).toEqual([first.body]);
    expect(await actions(service)).toBe(1);
    const other = await make(service, "two", waiver);
    expect([isReplayed(other), other.body.id === first.body.id]).toEqual([undefined, false]);
  });

  test("of two at the same time makes one", async () => {
    const before = (await listed(service)).length;
    const answers = await Promise.all(Array.from({ length: 6 }, () => make(service, "race", waiver)));
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(6).fill([201, answers[0]?.body.id]));
    expect(answers.filter((answer) => isReplayed(answer)).length).toBe(5);
    expect((await listed(service)).length).toBe(before + 1);
  });
});

test("of two instances at the same time one makes it", async () => {
  const service = await useService();
  const other = await useService({ databaseUrl: service.databaseUrl });
  const answers = await Promise.all([service, other, service, other].map((at) => make(at, "race", waiver)));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await listed(service)).toHaveLength(1);
});

test("a key is not taken for another request, be it of another path", async () => {
  const service = await useService();
  await post(service, "/score", dast);
  await make(service, "one", waiver);
  const refusal = { status: 422, code: "idempotency-key-reused", message: /fresh one/ };
  expectRefusal(await make(service, "one", { ...waiver, owner: "ben" }), refusal);
  expectRefusal(await make(service, "one", { ...cart, reason: "replaced" }, "/apps/retire"), refusal);
  const retired = await make(service, "two", { ...cart, reason: "replaced" }, "/apps/retire");
  expect(retired.status).toBe(200);
  expectRefusal(await make(service, "two", cart, "/apps/restore"), refusal);
  expect(await actions(service)).toBe(2);
});

test("what is moved, retired or restored is so once, and answered as it was then", async () => {
  const service = await useService();
  await post(service, "/score", dast);
  const basket = { ...cart, app: "basket" };
  const requests = [
    ["/apps/move", { from: cart, to: basket }],
    ["/apps/retire", { ...basket, reason: "replaced" }],
    ["/apps/restore", basket],
  ] as const;
  for (const [place, [path, body]] of requests.entries()) {
    const dry = await make(service, path, { ...body, dry_run: true }, path);
    const first = await make(service, path, body, path);
    const again = await make(service, path, body, path);
    expect([dry.status, first.status, isReplayed(first)]).toEqual([200, 200, undefined]);
    expect([again.status, isReplayed(again), again.body]).toEqual([200, "true", first.body]);
    expect(await actions(service)).toBe(place + 1);
  }
});

test.each(engines)("a problem that is reported twice alerts once, and is answered as it was then: %s", async (kind) => {
  const chat = await useChatServer(() => ({ ok: true }));
  const databaseUrl = await createDatabase(kind);
  const service = await useService({ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
  const path = "/problem/scan-result";
  const [first, again] = [await make(service, "one", problem, path), await make(service, "one", problem, path)];
  expect(first).toMatchObject({ status: 200, body: { ...problem, alert: "queued" } });
  expect([again.status, isReplayed(again), again.body]).toEqual([200, "true", first.body]);
  const other = await make(service, "two", { ...problem, count: 2 }, path);
  expect(isReplayed(other)).toBeUndefined();
  await until(() => chat.messages().length === 2);
  expect(chat.messages().map(({ thread_ts }) => thread_ts)).toEqual([undefined, "ts-1"]);
  expectRefusal(await make(service, "one", { ...problem, count: 3 }, path), {
    status: 422,
    code: "idempotency-key-reused",
  });
});

test("what made nothing leaves its key free", async () => {
  const service = await useService();
  const past = { ...waiver, kind: "accepted", expires_at: "2020-01-01" };
  expectRefusal(await make(service, "one", past), { paths: ["expires_at"] });
  expect((await make(service, "one", waiver)).status).toBe(201);
});

test.each([
  ["empty", ""],
  ["too long", "k".repeat(201)],
  ["of two words", "one two"],
  ["not of ASCII", "schl\u00fcssel"],
])("a key that is %s is refused by its name", async (_, key) => {
  const service = await useService();
  expectRefusal(await make(service, key, waiver), { paths: ["Idempotency-Key"], message: /1 to 200 visible ASCII/ });
  expect(await listed(service)).toEqual([]);
});

test("a key of 200 characters is none too long", async () => {
  const service = await useService();
  expect((await make(service, "~".repeat(200), waiver)).status).toBe(201);
});

test("a key is that of its caller alone, also among tokens of one name", async () => {
  const service = await useService({ auth: "token" });
  const tokenOf = async () => {
    const token = createToken();
    const row = { name: "office", hash: hashToken(token), scopes: ["waiver:write"] as const, bounds: {} };
    await insertToken(service.database.knex, row);
    return { authorization: `Bearer ${token}` };
  };
  const [ann, ben] = [await tokenOf(), await tokenOf()];
  const first = await make(service, "one", waiver, "/waivers", ann);
  const other = await make(service, "one", { ...waiver, owner: "ben" }, "/waivers", ben);
  const again = await make(service, "one", waiver, "/waivers", ann);
  expect([first.status, other.status, isReplayed(other)]).toEqual([201, 201, undefined]);
  expect(again.body).toEqual(first.body);
});

test("a key is kept for a day, and then deleted by the daily work, whatever history is kept", async () => {
  const service = await useService();
  const { knex } = service.database;
  const keys = async () => Number((await knex.raw("SELECT count(*) FROM idempotency_keys")).rows[0].count);
  const age = (hours: number) =>
    knex.raw("UPDATE idempotency_keys SET made_at = clock_timestamp() - make_interval(hours => ?::int)", [hours]);
  const { signal } = new AbortController();
  const first = await make(service, "one", waiver);
  await age(23);
  await prune(service.database, { historyDays: 400, signal });
  expect((await make(service, "one", waiver)).body).toEqual(first.body);
  await age(24);
  const second = await make(service, "one", { ...waiver, owner: "ben" });
  expect([second.status, isReplayed(second)]).toEqual([201, undefined]);
  expect((await make(service, "one", { ...waiver, owner: "ben" })).body).toEqual(second.body);
  for (const historyDays of [0, 400]) {
    await make(service, `of ${historyDays}`.replace(" ", "-"), waiver);
    await age(24);
    expect(await keys()).toBeGreaterThan(0);
    await prune(service.database, { historyDays, signal });
    expect(await keys()).toBe(0);
  }
});

test("every POST takes a key, unless what it does is the same done twice", async () => {
  const service = await useService();
  const { paths } = JSON.parse((await service.server.inject("/openapi.json")).payload);
  const posts = Object.entries<Record<string, { parameters?: { name: string }[]; responses: object }>>(paths).flatMap(
    ([path, { post }]) => (post ? [{ path, post }] : []),
  );
  const keyed = posts.filter(({ post }) => post.parameters?.some(({ name }) => name === "Idempotency-Key"));
  expect(posts.filter((one) => !keyed.includes(one)).map(({ path }) => path)).toEqual(["/score", "/scores"]);
  for (const { post } of keyed) expect(post.responses).toHaveProperty("422");
});
