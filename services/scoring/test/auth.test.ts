import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bounds, type Scope, scopes } from "../src/auth/grant.ts";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken, revokeToken } from "../src/store/tokens.ts";
import { createDatabase, engines, startService, type TestService, until } from "./support/service.ts";

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const score = { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } };
const problem = { ...target, problem_type: "secret", severity: "high", count: 0 };

/** Every endpoint: how it is called, and the scopes that open it; none where it is open to all. */
const endpoints: Readonly<Record<string, { url: string; body?: object; opened?: readonly Scope[] }>> = {
  "POST /score": { url: "/score", body: score, opened: ["score:write", "admin"] },
  "POST /scores": { url: "/scores", body: { scores: [score] }, opened: ["score:write", "admin"] },
  "POST /problem/scan-result": { url: "/problem/scan-result", body: problem, opened: ["problem:write", "admin"] },
  "GET /metrics": { url: "/metrics", opened: ["read", "metrics:read", "admin"] },
  "GET /metrics/service": { url: "/metrics/service", opened: ["read", "metrics:read", "admin"] },
  "GET /healthz": { url: "/healthz" },
  "GET /livez": { url: "/livez" },
  "GET /openapi.json": { url: "/openapi.json" },
  "GET /docs": { url: "/docs" },
};
const guarded = Object.entries(endpoints).filter(([, { opened }]) => opened);
const writes = guarded.filter(([, { body }]) => body);

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
    const { statusCode, headers, payload } = await service.server.inject({
      method: endpoint.split(" ")[0] ?? "GET",
      url: endpoints[endpoint]?.url ?? "/",
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

  describe.each(Object.keys(endpoints))("%s", (endpoint) => {
    const { opened } = endpoints[endpoint] ?? {};

    test.each(scopes)(`with the scope %s`, async (scope) => {
      const { token } = await make({ scopes: [scope] });
      const { status, payload } = await call(endpoint, `Bearer ${token}`);
      const isOpen = !opened || opened.includes(scope);
      expect(status).toBe(isOpen ? 200 : 403);
      if (!isOpen) expect(code(payload)).toBe("forbidden");
    });

    test.each([
      ["no token", () => undefined],
      ["an empty one", () => "Bearer "],
      ["another scheme", () => "Basic bWF0dXJpdHk6eA=="],
      ["a garbled one", async () => `Bearer ${(await make({})).token}x`],
      ["an unknown one", () => `Bearer ${createToken()}`],
      ["an expired one", async () => `Bearer ${(await make({ expiresAt: new Date(Date.now() - 1_000) })).token}`],
      ["a huge one", () => `Bearer ${"x".repeat(8_000)}`],
    ])("with %s", async (_, authorization) => {
      const { status, headers, payload } = await call(endpoint, await authorization());
      expect(status).toBe(opened ? 401 : 200);
      if (!opened) return;
      expect(code(payload)).toBe("unauthorized");
      expect(headers["www-authenticate"]).toMatch(/^Bearer /);
    });
  });

  describe.each(writes.map(([name]) => name))("%s", (endpoint) => {
    test.each<[string, Bounds, number]>([
      ["its area", { area: "shop" }, 200],
      ["its team", { team: "checkout" }, 200],
      ["its area, team and app", { area: "shop", team: "checkout", app: "cart" }, 200],
      ["another area", { area: "Shop" }, 403],
      ["another team of its area", { area: "shop", team: "search" }, 403],
      ["another app", { app: "till" }, 403],
    ])("with a token bound to %s", async (_, bounds, status) => {
      const { token } = await make({ bounds });
      const answer = await call(endpoint, `Bearer ${token}`);
      expect(answer.status).toBe(status);
      if (status === 403) expect(code(answer.payload)).toBe("forbidden");
    });
  });

  test("a list with one score outside the bounds stores nothing", async () => {
    const { token } = await make({ scopes: ["score:write"], bounds: { area: "bound" } });
    const scores = [{ ...score, area: "bound" }, score];
    expect((await call("POST /scores", `Bearer ${token}`, { scores })).status).toBe(403);
    const { rows } = await service.database.knex.raw("SELECT 1 FROM scores WHERE area = 'bound'");
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

  test("a revoked token is refused soon, on every copy", async () => {
    const { token, id } = await make({});
    expect((await call("GET /metrics", `Bearer ${token}`)).status).toBe(200);
    await revokeToken(service.database.knex, id);
    await until(async () => (await call("GET /metrics", `Bearer ${token}`)).status === 401);
  });

  test("an address that sends many wrong tokens is turned away, a good token of another address is not", async () => {
    const from = async (remoteAddress: string, token: string) =>
      service.server.inject({ url: "/metrics", remoteAddress, headers: { authorization: `Bearer ${token}` } });
    for (let attempt = 0; attempt < 30; attempt++)
      expect((await from("192.0.2.1", createToken())).statusCode).toBe(401);
    const turnedAway = await from("192.0.2.1", createToken());
    expect(turnedAway.statusCode).toBe(429);
    expect(Number(turnedAway.headers["retry-after"])).toBeGreaterThan(0);
    expect(code(turnedAway.payload)).toBe("too-many-attempts");
    const { token } = await make({});
    expect((await from("192.0.2.2", token)).statusCode).toBe(200);
  });

  test("wrong tokens are counted, and the description says how to send a good one", async () => {
    const { token } = await make({ scopes: ["read"] });
    const { payload } = await call("GET /metrics/service", `Bearer ${token}`);
    expect(Number(/^maturity_authentication_failures_total (\d+)$/m.exec(payload)?.[1])).toBeGreaterThan(0);
    const { components, paths } = JSON.parse((await call("GET /openapi.json")).payload);
    expect(components.securitySchemes.token).toEqual({ type: "http", scheme: "bearer" });
    expect(paths["/score"].post.security).toEqual([{ token: [] }]);
    expect(Object.keys(paths["/score"].post.responses)).toEqual(expect.arrayContaining(["401", "403", "429"]));
    expect(paths["/healthz"].get.security).toBeUndefined();
  });
});
