import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken, revokeToken } from "../src/auth/tokens.ts";
import { type Bounds, type Scope, scopes } from "../src/model/grant.ts";
import { createDatabase, engines, startService, type TestService, until } from "./support/service.ts";

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const app = { area: "shop", team: "checkout", app: "cart" };
const score = { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } };
const problem = { ...target, problem_type: "secret", severity: "high", count: 0 };
const waiver = { ...target, kind: "not_applicable", scorecard: "reliability", reason: "a library", owner: "ann" };

interface Endpoint {
  /** What a call sends or asks for: the target above. */
  readonly body?: object;
  readonly query?: string;
  /** The scopes that open it; none where it is open to all. */
  readonly opened?: readonly Scope[];
  /** The status of its answer where it is open, by default 200. */
  readonly answer?: number;
  /** Does it name, or change, something that a token can be bound to? */
  readonly bound?: boolean;
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  "POST /score": { body: score, opened: ["score:write", "admin"], bound: true },
  "POST /scores": { body: { scores: [score] }, opened: ["score:write", "admin"], bound: true },
  "POST /problem/scan-result": { body: problem, opened: ["problem:write", "admin"], bound: true },
  "PUT /registry": { body: app, opened: ["admin"], bound: true },
  "POST /apps/move": { body: { from: app, to: app }, opened: ["admin"], bound: true, answer: 400 },
  "POST /apps/retire": { body: { ...app, reason: "gone", dry_run: true }, opened: ["admin"], bound: true },
  "POST /apps/restore": { body: app, opened: ["admin"], bound: true, answer: 404 },
  "GET /metrics": {
    query: "?area=shop&team=checkout&app=cart",
    opened: ["read", "metrics:read", "admin"],
    bound: true,
  },
  "GET /metrics/service": { opened: ["read", "metrics:read", "admin"] },
  ...Object.fromEntries(
    [
      "areas",
      "teams",
      "apps",
      "registry",
      "former-names",
      "scores",
      "problems",
      "changes",
      "change-totals",
      "waivers",
      "campaigns",
      "badges",
      "levels",
      "metric-averages",
      "problem-times",
      "problem-weeks",
    ].map((list) => [
      `GET /${list}`,
      { query: "?area=shop&team=checkout&app=cart", opened: ["read", "admin"], bound: true } satisfies Endpoint,
    ]),
  ),
  "POST /waivers": { body: waiver, opened: ["waiver:request", "waiver:write", "admin"], bound: true, answer: 201 },
  "POST /waivers/{id}/approve": { body: {}, opened: ["waiver:write", "admin"], answer: 404 },
  "POST /waivers/{id}/reject": { body: { comment: "no" }, opened: ["waiver:write", "admin"], answer: 404 },
  "POST /waivers/{id}/withdraw": { body: {}, opened: ["waiver:request", "waiver:write", "admin"], answer: 404 },
  "DELETE /waivers/{id}": { opened: ["waiver:write", "admin"], answer: 404 },
  "POST /badges": { body: {}, opened: ["badge:write", "admin"], answer: 400 },
  "DELETE /badges/{id}": { opened: ["badge:write", "admin"], answer: 404 },
  "GET /badge/{token}.svg": { answer: 404 },
  "GET /badge/{token}.json": { answer: 404 },
  "POST /campaigns": { body: {}, opened: ["campaign:write", "admin"], answer: 400 },
  "GET /campaigns/{id}": { opened: ["read", "admin"], answer: 404 },
  "PATCH /campaigns/{id}": { body: { name: "x" }, opened: ["campaign:write", "admin"], answer: 404 },
  ...Object.fromEntries(
    ["members", "days", "groups"].map((list) => [
      `GET /campaigns/{id}/${list}`,
      { opened: ["read", "admin"], answer: 404 } satisfies Endpoint,
    ]),
  ),
  "GET /history": { query: "?area=shop&team=checkout&app=cart&env=prod", opened: ["read", "admin"], bound: true },
  "GET /audit": { query: "?area=shop&team=checkout&app=cart", opened: ["read", "admin"], bound: true },
  "GET /metric-averages": {
    ...{ query: "?area=shop&team=checkout&app=cart", opened: ["read", "admin"], bound: true },
  },
  "GET /search": { query: "?q=cart", opened: ["read", "admin"] },
  "GET /scorecards": { opened: ["read", "admin"] },
  "GET /whoami": { opened: scopes },
  "GET /": { answer: 302 },
  "GET /board": { answer: 302 },
  "GET /board/": {},
  "GET /board/assets/{file}": { answer: 404 },
  "GET /board/session": {},
  "POST /board/session": { body: {}, answer: 400 },
  "DELETE /board/session": {},
  "GET /healthz": {},
  "GET /livez": {},
  "GET /openapi.json": {},
  "GET /docs": { answer: 302 },
};

/** Bounds, and whether the target is inside. */
const allBounds: Readonly<Record<string, { bounds: Bounds; inside: boolean }>> = {
  "no bounds": { bounds: {}, inside: true },
  "its area": { bounds: { area: "shop" }, inside: true },
  "its team": { bounds: { team: "checkout" }, inside: true },
  "its app": { bounds: { app: "cart" }, inside: true },
  "its area, team and app": { bounds: { area: "shop", team: "checkout", app: "cart" }, inside: true },
  "its area in capitals": { bounds: { area: "Shop" }, inside: false },
  "another team of its area": { bounds: { area: "shop", team: "search" }, inside: false },
  "another app": { bounds: { area: "shop", team: "checkout", app: "till" }, inside: false },
};

/** What may be the matter with a token; only the first lets anybody in. */
const states = ["good", "expired", "revoked", "garbled", "absent"] as const;

type Try = readonly [scope: Scope, bounds: string, state: (typeof states)[number]];

/**
 * Each scope, within bounds that do not matter; all bounds, with a scope that does not matter; each state of a token, by
 * turns of the rest. What is shown of one is so never hidden by another.
 */
function triesOf(opened: readonly Scope[] = scopes): readonly Try[] {
  const names = Object.keys(allBounds);
  const inside = names.filter((name) => allBounds[name]?.inside);
  return [
    ...scopes.map((scope, turn): Try => [scope, of(inside, turn), "good"]),
    ...names.map((name, turn): Try => [of(opened, turn), name, "good"]),
    ...states.map((state, turn): Try => [of(scopes, turn), of(names, turn), state]),
  ];
}

/** The entries by turns. */
function of<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length] as T;
}

describe.each(engines)("with AUTH=token on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), auth: "token" });
  });
  afterAll(() => service.stop());

  const make = async (grant: { scopes?: readonly Scope[]; bounds?: Bounds; expiresAt?: Date }) => {
    const token = createToken();
    const { scopes = ["admin"], bounds = {}, expiresAt } = grant;
    const stored = { name: "test", hash: hashToken(token), scopes, bounds, ...(expiresAt && { expiresAt }) };
    return { token, id: await insertToken(service.database.knex, stored) };
  };
  const call = async (endpoint: string, authorization?: string, body = endpoints[endpoint]?.body) => {
    const [method, path] = endpoint.split(" ") as [string, string];
    const { statusCode, headers, payload } = await service.server.inject({
      method,
      url: path + (endpoints[endpoint]?.query ?? ""),
      remoteAddress: `10.0.0.${++addresses % 250}`,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: statusCode, headers, payload };
  };
  let addresses = 0;
  const code = (payload: string) => JSON.parse(payload).code;

  /** The header of a token with this grant in this state. */
  const header = async (state: (typeof states)[number], grant: { scopes: readonly Scope[]; bounds: Bounds }) => {
    if (state === "absent") return undefined;
    const expired = state === "expired" && { expiresAt: new Date(Date.now() - 1_000) };
    const { token, id } = await make({ ...grant, ...expired });
    if (state === "revoked") await revokeToken(service.database.knex, id);
    return `Bearer ${token}${state === "garbled" ? "x" : ""}`;
  };

  test("every endpoint is among those tried here", () => {
    const routes = service.server.table().filter(({ method, path }) => method !== "*" && !path.startsWith("/docs/"));
    const names = routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(names.sort()).toEqual(Object.keys(endpoints).sort());
  });

  describe.each(Object.entries(endpoints))("%s", (endpoint, { opened, bound, answer = 200 }) => {
    test.each(triesOf(opened))("with the scope %s, bound to %s, %s", async (scope, name, state) => {
      const { bounds = {}, inside = true } = allBounds[name] ?? {};
      const { status, payload } = await call(endpoint, await header(state, { scopes: [scope], bounds }));
      const allowed = opened?.includes(scope) && (inside || !bound);
      const expected = !opened ? answer : state !== "good" ? 401 : allowed ? answer : 403;
      expect(status).toBe(expected);
      if (expected !== answer) expect(code(payload)).toBe(expected === 401 ? "unauthorized" : "forbidden");
    });

    test.each([
      ["no token", () => undefined],
      ["an empty one", () => "Bearer "],
      ["another scheme", () => "Basic bWF0dXJpdHk6eA=="],
      ["an unknown one", () => `Bearer ${createToken()}`],
      ["two", async () => `Bearer ${(await make({})).token} ${(await make({})).token}`],
      ["a good one in capitals", async () => `Bearer ${(await make({})).token.toUpperCase()}`],
      ["a huge one", () => `Bearer ${"x".repeat(8_000)}`],
    ])("with %s", async (_, authorization) => {
      const { status, headers, payload } = await call(endpoint, await authorization());
      expect(status).toBe(opened ? 401 : answer);
      if (!opened) return;
      expect(code(payload)).toBe("unauthorized");
      expect(headers["www-authenticate"]).toMatch(/^Bearer /);
    });
  });

  test("a list with one score outside the bounds stores nothing", async () => {
    const { token } = await make({ scopes: ["score:write"], bounds: { area: "bound" } });
    const scores = [{ ...score, area: "bound" }, score];
    expect((await call("POST /scores", `Bearer ${token}`, { scores })).status).toBe(403);
    const { rows } = await service.database.knex.raw("SELECT 1 FROM scores_by_name WHERE area = 'bound'");
    expect(rows).toEqual([]);
  });

  test("a bound scrape shows what is inside, and may not ask for more", async () => {
    const { token: writer } = await make({});
    for (const area of ["mine", "theirs"]) await call("POST /score", `Bearer ${writer}`, { ...score, area });
    const { token } = await make({ scopes: ["metrics:read"], bounds: { area: "mine" } });
    const authorization = `Bearer ${token}`;
    const { payload } = await service.server.inject({ url: "/metrics?collect[]=scores", headers: { authorization } });
    expect(payload).toContain('area="mine"');
    expect(payload).not.toContain('area="theirs"');
    const asked = await service.server.inject({ url: "/metrics?area=theirs", headers: { authorization } });
    expect(asked.statusCode).toBe(403);
  });

  test("a token that was used is refused soon after its revocation", async () => {
    const { token, id } = await make({});
    expect((await call("GET /metrics", `Bearer ${token}`)).status).toBe(200);
    await revokeToken(service.database.knex, id);
    await until(async () => (await call("GET /metrics", `Bearer ${token}`)).status === 401);
  });

  test("an address that sends many wrong tokens still gets in with a good one", async () => {
    const from = async (token: string) =>
      (
        await service.server.inject({
          url: "/metrics",
          remoteAddress: "192.0.2.1",
          headers: { authorization: `Bearer ${token}` },
        })
      ).statusCode;
    const asked = countLookUps(service);
    for (let attempt = 0; attempt < 100; attempt++) expect(await from("foo")).toBe(401);
    for (let attempt = 0; attempt < 100; attempt++) expect(await from(`${createToken()}x`)).toBe(401);
    expect(asked()).toBe(0);
    for (let attempt = 0; attempt < 100; attempt++) expect(await from(createToken())).toBe(401);
    expect(asked()).toBe(100);
    expect(await from((await make({})).token)).toBe(200);
  });

  test("unknown tokens that come together cost a few look-ups, and the good one among them gets in", async () => {
    const { token } = await make({});
    const tokens = Array.from({ length: 500 }, createToken).toSpliced(250, 0, token);
    const asked = countLookUps(service);
    const statuses = await Promise.all(
      tokens.map(async (token) => (await call("GET /metrics", `Bearer ${token}`)).status),
    );
    expect(statuses).toEqual(tokens.map((each) => (each === token ? 200 : 401)));
    expect(asked()).toBeLessThan(50);
  });

  test("wrong tokens are counted, and the description says how to send a good one", async () => {
    const { token } = await make({ scopes: ["read"] });
    const { payload } = await call("GET /metrics/service", `Bearer ${token}`);
    expect(Number(/^maturity_authentication_failures_total (\d+)$/m.exec(payload)?.[1])).toBeGreaterThan(0);
    const { components, paths } = JSON.parse((await call("GET /openapi.json")).payload);
    expect(components.securitySchemes.token).toEqual({ type: "http", scheme: "bearer" });
    expect(paths["/score"].post.security).toEqual([{ token: [] }]);
    expect(Object.keys(paths["/score"].post.responses)).toEqual(expect.arrayContaining(["401", "403"]));
    expect(paths["/healthz"].get.security).toBeUndefined();
  });
});

/** Counts how often the store is asked about tokens from now on. */
function countLookUps({ database }: TestService): () => number {
  let count = 0;
  database.knex.on("query", ({ sql }: { sql: string }) => {
    if (sql.includes("FROM tokens")) count++;
  });
  return () => count;
}
