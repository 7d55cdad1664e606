import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { revokeToken } from "../src/auth/tokens.ts";
import {
  close,
  cookieOf,
  current,
  make,
  open,
  opened,
  page,
  read,
  startWithScores,
  url,
} from "./support/board-session.ts";
import { campaign } from "./support/campaigns.ts";
import { readableLog } from "./support/log.ts";
import { failuresOf } from "./support/pipelines.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

/** The routes of what a signed-in person may change, if a rule grants the scope. */
const written = /^\/(?:waivers|campaigns|badges)\b/;

describe.each(engines)("with AUTH=token on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startWithScores(kind);
  });
  afterAll(() => service.stop());

  test("a token is exchanged for a cookie that scripts cannot read and other sites cannot send", async () => {
    const { token } = await make(service, { bounds: { area: "mine" } });
    const { status, body, cookies, headers } = await open(service, token);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ required: true, sign_in: false },
        session: {
          ...{ name: "Ann", scopes: ["read"], grants: [{ scopes: ["read"], bounds: { area: "mine" } }] },
          ...{ expires_at: expect.stringMatching(/Z$/), kind: "token" },
        },
      },
    });
    expect(headers["cache-control"]).toBe("no-store");
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(
      /^__Host-maturity_session=[\w-]{43}; Max-Age=\d+; Expires=[^;]+; Secure; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    expect(cookies[0]).not.toContain(token);
    expect(await current(service, cookieOf({ cookies }))).toEqual(body.session);
  });

  test("without TLS the cookie is not Secure, or no browser would send it", async () => {
    const origin = "http://maturity.internal:8080";
    const { token } = await make(service);
    const { cookies } = await open(service, token, { origin, host: "maturity.internal:8080" });
    expect(cookies[0]).toMatch(
      /^maturity_session=[\w-]{43}; Max-Age=\d+; Expires=[^;]+; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    expect(await current(service, cookieOf({ cookies }))).toMatchObject({ name: "Ann" });
  });

  test("the cookie reads what the token's bounds leave, and nothing else", async () => {
    const { token } = await make(service, { scopes: ["admin"], bounds: { area: "mine" } });
    const cookie = await opened(service, token);
    const { status, body } = await read(service, cookie);
    expect(status).toBe(200);
    expect(body.items.map(({ area }: { area: string }) => area)).toEqual(["mine"]);
    expect((await read(service, cookie, "/areas?area=theirs")).status).toBe(403);
    expect((await read(service, cookie, "/whoami")).body).toEqual({
      ...{ name: "Ann", scopes: ["read"], grants: [{ scopes: ["read"], bounds: { area: "mine" } }] },
    });
  });

  test("the cookie of whoever may do everything is good for the lists alone", async () => {
    const { token } = await make(service, { scopes: ["admin"] });
    const cookie = await opened(service, token);
    const value = cookie.split("=")[1];
    const routes = service.server.table().filter(({ method, settings }) => method !== "*" && settings.auth);
    const { token: writer } = await make(service, { scopes: ["campaign:write"] });
    const { id } = await campaign(service, {}, { authorization: `Bearer ${writer}` });
    for (const { method, path } of routes) {
      const isList =
        method === "get" &&
        /^\/(?:areas|teams|apps|registry|former-names|scores|problems|waivers|changes|change-totals|history|scorecards|search|whoami|levels|metric-averages|problem-times|problem-weeks|audit|badges|campaigns(?:\/\{id\}.*)?)$/.test(
          path,
        );
      const needed: Record<string, string> = { "/history": "?area=mine&env=prod", "/search": "?q=cart" };
      const asked = path.replace("{id}", id) + (needed[path] ?? "");
      const request = { method, url: asked, headers: { cookie, ...page }, payload: method === "get" ? "" : "{}" };
      const headers = { ...request.headers, ...(method !== "get" && { "content-type": "application/json" }) };
      const { statusCode } = await service.server.inject({ ...request, headers });
      expect([`${method} ${path}`, statusCode]).toEqual([
        `${method} ${path}`,
        isList ? 200 : written.test(path) ? 403 : 401,
      ]);
      const bearer = { authorization: `Bearer ${value}` };
      expect((await service.server.inject({ ...request, headers: { ...headers, ...bearer } })).statusCode).toBe(401);
    }
    expect(routes.length).toBeGreaterThan(10);
    const { rows } = await service.database.knex.raw("SELECT DISTINCT area FROM scores_by_name ORDER BY 1");
    expect(rows).toEqual([{ area: "mine" }, { area: "theirs" }]);
  });

  test("only routes that read, and those of waivers, campaigns and badges, take a session at all", () => {
    const taking = service.server.table().filter(({ settings }) => settings.auth?.strategies?.includes("session"));
    expect(taking.length).toBeGreaterThan(5);
    const others = taking.filter(({ method }) => method !== "get").map(({ path }) => path);
    expect(others.filter((path) => !written.test(path))).toEqual([]);
  });

  test("the first request after the token is revoked is refused", async () => {
    const { token, id } = await make(service);
    const cookie = await opened(service, token);
    expect((await read(service, cookie)).status).toBe(200);
    await revokeToken(service.database.knex, id);
    const { status, body, headers } = await read(service, cookie);
    expect({ status, code: body.code }).toEqual({ status: 401, code: "unauthorized" });
    expect(headers["www-authenticate"]).toMatch(/^Bearer /);
    expect(await current(service, cookie)).toBeNull();
  });

  test("a token that is deleted takes its sessions along", async () => {
    const { token, id } = await make(service);
    const cookie = await opened(service, token);
    await service.database.knex.raw("DELETE FROM tokens WHERE id = ?::int", [id]);
    expect((await read(service, cookie)).status).toBe(401);
  });

  test("a session lasts twelve hours, or as long as its token", async () => {
    const hoursOf = async (expiresAt?: Date) => {
      const { token } = await make(service, { expiresAt });
      const { body } = await open(service, token);
      return (Date.parse(body.session.expires_at) - Date.now()) / 3_600_000;
    };
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    expect(await hoursOf()).toBeCloseTo(12, 1);
    expect(await hoursOf(inHours(24))).toBeCloseTo(12, 1);
    expect(await hoursOf(inHours(2))).toBeCloseTo(2, 1);
  });

  test("an expired session is over, and the next one that is opened clears it away", async () => {
    const { token } = await make(service);
    const cookie = await opened(service, token);
    const hash = hashToken(cookie.split("=")[1] ?? "");
    await service.database.knex.raw(
      "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE hash = decode(?::text, 'hex')",
      [hash],
    );
    expect((await read(service, cookie)).status).toBe(401);
    expect(await current(service, cookie)).toBeNull();
    await opened(service, token);
    const { rows } = await service.database.knex.raw("SELECT 1 FROM sessions WHERE hash = decode(?::text, 'hex')", [
      hash,
    ]);
    expect(rows).toEqual([]);
  });

  test("ending a session ends this one, at every place that has its cookie", async () => {
    const { token } = await make(service);
    const [mine, other] = [await opened(service, token), await opened(service, token)];
    const { status, body, cookies } = await close(service, mine);
    expect({ status, body }).toEqual({ status: 200, body: { required: true, sign_in: false, session: null } });
    expect(cookies[0]).toMatch(/^__Host-maturity_session=; Max-Age=0; .*Secure; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await read(service, mine)).status).toBe(401);
    expect((await read(service, other)).status).toBe(200);
    expect((await close(service, mine)).status).toBe(200);
  });

  test("a token has a thousand sessions at the most; one more ends the oldest", async () => {
    const { token, id } = await make(service);
    const { token: neighbour } = await make(service);
    const [oldest, other] = [await opened(service, token), await opened(service, neighbour)];
    await service.database.knex.raw(
      `INSERT INTO sessions (hash, token_id, name, caller, parts, expires_at)
       SELECT sha256(n::text::bytea), ?::int, 'Ann', 'token ' || ?::int, '[]', now() + interval '13 hours' FROM generate_series(1, 999) AS n`,
      [id, id],
    );
    expect((await read(service, oldest)).status).toBe(200);
    const newest = await opened(service, token);
    const { rows } = await service.database.knex.raw(
      "SELECT count(*)::int AS count FROM sessions WHERE token_id = ?::int",
      [id],
    );
    expect(rows).toEqual([{ count: 1_000 }]);
    expect((await read(service, oldest)).status).toBe(401);
    expect((await read(service, newest)).status).toBe(200);
    expect((await read(service, other)).status).toBe(200);
  });

  test("a token that is sent counts, not the cookie beside it", async () => {
    const cookie = await opened(service, (await make(service)).token);
    const { token } = await make(service, { bounds: { area: "mine" } });
    const { body } = await read(service, cookie, "/whoami", { authorization: `Bearer ${token}` });
    expect(body.grants).toEqual([{ scopes: ["read"], bounds: { area: "mine" } }]);
    expect((await read(service, cookie, "/whoami", { authorization: `Bearer ${createToken()}` })).status).toBe(401);
  });

  test("the database keeps nothing that opens a door", async () => {
    const { token } = await make(service);
    const cookie = await opened(service, token);
    const { rows } = await service.database.knex.raw("SELECT *, encode(hash, 'hex') AS hash FROM sessions");
    const found = JSON.stringify(rows);
    expect(found).not.toContain(cookie.split("=")[1]);
    expect(found).not.toContain(hashToken(token));
  });

  test("answers of the lists are kept apart by cookie", async () => {
    const { headers } = await read(service, await opened(service, (await make(service)).token));
    expect(headers.vary).toContain("cookie");
    expect(headers["cache-control"]).toContain("private");
  });
});

test("a session is known to every instance, and so is its end", async () => {
  const databaseUrl = await createDatabase("postgres");
  const instance = () => useService({ databaseUrl, auth: "token" });
  const [first, second] = await Promise.all([instance(), instance()]);
  const { token, id } = await make(first);
  const [closed, revoked] = [await opened(first, token), await opened(second, token)];
  expect((await read(second, closed)).status).toBe(200);
  await close(first, closed);
  expect((await read(second, closed)).status).toBe(401);
  expect((await read(first, revoked)).status).toBe(200);
  await revokeToken(second.database.knex, id);
  expect((await read(first, revoked)).status).toBe(401);
});

test("with AUTH=none nobody needs a session, and a cookie of another time disturbs nothing", async () => {
  const service = await useService();
  const none = { required: false, sign_in: false, session: null };
  expect((await open(service, "anything")).body).toEqual(none);
  expect((await open(service, "anything")).cookies).toEqual([]);
  const cookie = `maturity_session=${"x".repeat(43)}`;
  expect((await read(service, cookie, url)).body).toEqual(none);
  expect((await close(service, cookie)).body).toEqual(none);
  expect((await read(service, cookie)).status).toBe(200);
});

test("wrong tokens are counted and logged as everywhere, and cookies that are over are not wrong tokens", async () => {
  const log = readableLog();
  const service = await useService({ auth: "token", logger: log.logger });
  const wrong = createToken();
  await open(service, wrong);
  expect(await failuresOf(service)).toBe(1);
  await read(service, `maturity_session=${"x".repeat(43)}`);
  expect(await failuresOf(service)).toBe(1);
  const refused = log.from(30).filter(({ msg }) => msg === "unauthorized");
  expect(refused).toMatchObject([{ method: "post", path: url, reason: "the token is unknown, expired or revoked" }]);
  expect(log.lines.join("")).not.toContain(wrong);
});
