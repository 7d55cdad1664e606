import type { ServerInjectOptions } from "@hapi/hapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken, revokeToken } from "../src/auth/tokens.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { readableLog } from "./support/log.ts";
import { startIssuer, type TestIssuer } from "./support/oidc-issuer.ts";
import { failuresOf, github, trustIn } from "./support/pipelines.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";

const url = "/board/session";
const score = { team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "secret_scan" };

const make = async (
  { database }: TestService,
  { scopes = ["read"] as readonly Scope[], bounds = {} as Bounds, expiresAt = undefined as Date | undefined } = {},
) => {
  const token = createToken();
  const stored = { name: "Ann", hash: hashToken(token), scopes, bounds, ...(expiresAt && { expiresAt }) };
  return { token, id: await insertToken(database.knex, stored) };
};

/** Sends what a page of the service would. */
const send = async (service: TestService, request: ServerInjectOptions) => {
  const response = await service.server.inject(request);
  const cookies = [response.headers["set-cookie"] ?? []].flat();
  return { status: response.statusCode, cookies, headers: response.headers, body: JSON.parse(response.payload) };
};
const page = { "sec-fetch-site": "same-origin", origin: "https://maturity.acme.example" };
const open = (service: TestService, token: unknown, headers: Record<string, string> = page) =>
  send(service, {
    ...{ method: "POST", url },
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify({ token }),
  });
const close = (service: TestService, cookie: string, headers: Record<string, string> = page) =>
  send(service, { method: "DELETE", url, headers: { cookie, ...headers } });
/** What the browser sends from then on. */
const cookieOf = ({ cookies }: { cookies: readonly string[] }) => cookies[0]?.split(";", 1)[0] ?? "";
const opened = async (service: TestService, token: string) => cookieOf(await open(service, token));
const read = (service: TestService, cookie: string, path = "/areas", more: Record<string, string> = {}) =>
  send(service, { url: path, headers: { cookie, ...more } });
const current = async (service: TestService, cookie: string) =>
  (await read(service, cookie, "/board/session")).body.session;

describe.each(engines)("with AUTH=token on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), auth: "token" });
    const { token } = await make(service, { scopes: ["score:write"] });
    for (const area of ["mine", "theirs"]) {
      await service.server.inject({
        ...{ method: "POST", url: "/score" },
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        payload: JSON.stringify({ area, ...score, raw: { found: false } }),
      });
    }
  });
  afterAll(() => service.stop());

  test("a token is exchanged for a cookie that scripts cannot read and other sites cannot send", async () => {
    const { token } = await make(service, { bounds: { area: "mine" } });
    const { status, body, cookies, headers } = await open(service, token);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        required: true,
        session: { name: "Ann", bounds: { area: "mine" }, expires_at: expect.stringMatching(/Z$/) },
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
      ...{ name: "Ann", scopes: ["read"], bounds: { area: "mine" } },
    });
  });

  test("the cookie of whoever may do everything is good for the lists alone", async () => {
    const { token } = await make(service, { scopes: ["admin"] });
    const cookie = await opened(service, token);
    const value = cookie.split("=")[1];
    const routes = service.server.table().filter(({ method, settings }) => method !== "*" && settings.auth);
    for (const { method, path } of routes) {
      const isList =
        method === "get" &&
        /^\/(?:areas|teams|apps|scores|problems|changes|history|scorecards|search|whoami)$/.test(path);
      const needed: Record<string, string> = { "/history": "?area=mine&env=prod", "/search": "?q=cart" };
      const asked = path + (needed[path] ?? "");
      const request = { method, url: asked, headers: { cookie, ...page }, payload: method === "get" ? "" : "{}" };
      const headers = { ...request.headers, ...(method !== "get" && { "content-type": "application/json" }) };
      const { statusCode } = await service.server.inject({ ...request, headers });
      expect([`${method} ${path}`, statusCode]).toEqual([`${method} ${path}`, isList ? 200 : 401]);
      const bearer = { authorization: `Bearer ${value}` };
      expect((await service.server.inject({ ...request, headers: { ...headers, ...bearer } })).statusCode).toBe(401);
    }
    expect(routes.length).toBeGreaterThan(10);
    const { rows } = await service.database.knex.raw("SELECT DISTINCT area FROM scores ORDER BY 1");
    expect(rows).toEqual([{ area: "mine" }, { area: "theirs" }]);
  });

  test("only routes that read take a session at all", () => {
    const taking = service.server.table().filter(({ settings }) => settings.auth?.strategies?.includes("session"));
    expect(taking.length).toBeGreaterThan(5);
    expect(new Set(taking.map(({ method }) => method))).toEqual(new Set(["get"]));
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
    expect({ status, body }).toEqual({ status: 200, body: { required: true, session: null } });
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
      `INSERT INTO sessions (hash, token_id, name, expires_at)
       SELECT sha256(n::text::bytea), ?::int, 'Ann', now() + interval '13 hours' FROM generate_series(1, 999) AS n`,
      [id],
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

  describe("no session for", () => {
    const refused: Record<string, { token: () => unknown; status: number; says: RegExp }> = {
      "an unknown token": { token: createToken, status: 401, says: /unknown, expired or revoked/ },
      "a garbled token": { token: () => `${createToken()}x`, status: 401, says: /unknown, expired or revoked/ },
      "an expired token": {
        token: async () => (await make(service, { expiresAt: new Date(Date.now() - 1_000) })).token,
        ...{ status: 401, says: /unknown, expired or revoked/ },
      },
      "a token that may only report": {
        token: async () => (await make(service, { scopes: ["score:write", "problem:write"] })).token,
        ...{ status: 403, says: /this token may not read; it needs the scope read/ },
      },
      "a token that may only scrape": {
        token: async () => (await make(service, { scopes: ["metrics:read"] })).token,
        ...{ status: 403, says: /it needs the scope read/ },
      },
      "the cookie of another session": {
        token: async () => (await opened(service, (await make(service)).token)).split("=")[1],
        ...{ status: 401, says: /unknown, expired or revoked/ },
      },
      "a number": { token: () => 7, status: 400, says: /must be a text/ },
      "a list": { token: () => ["x"], status: 400, says: /must be a text/ },
      nothing: { token: () => undefined, status: 400, says: /token/ },
      "an empty text": { token: () => "", status: 400, says: /must not be empty/ },
      "a huge text": { token: () => "hunter2".repeat(10_000), status: 400, says: /8192/ },
      "two mebibytes": { token: () => "x".repeat(2 ** 21), status: 413, says: /1 MiB/ },
    };
    test.each(Object.entries(refused))("%s", async (_, { token, status, says }) => {
      const answer = await open(service, await token());
      expect(answer.status).toBe(status);
      expect(answer.body.message).toMatch(says);
      expect(answer.cookies).toEqual([]);
      expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|maturity_[0-9A-Za-z]/);
    });
  });

  describe("a request of another site is refused:", () => {
    const foreign: Record<string, Record<string, string>> = {
      "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      "a neighbour below the same domain": { "sec-fetch-site": "same-site", origin: "https://evil.acme.example" },
      "an address that was typed": { "sec-fetch-site": "none" },
      "another site without TLS": { origin: "http://evil.example", host: "maturity.internal" },
      "another port": { origin: "http://maturity.internal:81", host: "maturity.internal" },
      "a page without an origin": { origin: "null", host: "maturity.internal" },
      "an origin that is none": { origin: "%", host: "maturity.internal" },
    };
    test.each(Object.entries(foreign))("%s", async (_, headers) => {
      const { token } = await make(service);
      const answer = await open(service, token, headers);
      expect({ status: answer.status, code: answer.body.code, cookies: answer.cookies }).toEqual({
        ...{ status: 403, code: "forbidden", cookies: [] },
      });
      const cookie = await opened(service, token);
      expect((await close(service, cookie, headers)).status).toBe(403);
      expect(await current(service, cookie)).not.toBeNull();
    });

    test("a form, which needs no leave to be sent", async () => {
      const { token } = await make(service);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
        const payload = JSON.stringify({ token });
        const { status } = await send(service, { method: "POST", url, headers: { "content-type": type }, payload });
        expect(status).toBe(415);
      }
    });

    test("and no answer lets another site read it", async () => {
      const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
      const asked = await service.server.inject({ method: "OPTIONS", url, headers });
      const { headers: answered } = await open(service, (await make(service)).token);
      for (const answer of [asked.headers, answered]) expect(Object.keys(answer).join()).not.toMatch(/access-control/);
    });
  });

  test("what is no browser opens a session, too", async () => {
    expect((await open(service, (await make(service)).token, {})).status).toBe(200);
  });

  describe("a cookie that is none", () => {
    const name = "__Host-maturity_session";
    const junk: Record<string, string> = {
      empty: `${name}=`,
      short: `${name}=abc`,
      long: `${name}=${"x".repeat(10_000)}`,
      quoted: `${name}="${"x".repeat(43)}"`,
      "with SQL": `${name}=' OR '1'='1`,
      "with another name": `${"x".repeat(43)}`,
      "unknown, well formed": `${name}=${"x".repeat(43)}`,
      "many of others": Array.from({ length: 1_000 }, (_, n) => `c${n}=${n}`).join("; "),
      "ill-formed ones of others": "=;;= ;a=b=c; \u00e9=1;",
    };
    test.each(Object.entries(junk))("%s", async (_, cookie) => {
      const { status, body } = await read(service, cookie);
      expect({ status, code: body.code }).toEqual({ status: 401, code: "unauthorized" });
      expect(await current(service, cookie)).toBeNull();
      expect((await close(service, cookie)).status).toBe(200);
    });

    test("costs no look-up unless it is well formed, and many that come together share look-ups", async () => {
      let asked = 0;
      service.database.knex.on("query", ({ sql }: { sql: string }) => {
        if (sql.includes("FROM sessions LEFT JOIN")) asked++;
      });
      for (const cookie of [junk.short, junk.long, junk.quoted]) await read(service, cookie ?? "");
      expect(asked).toBe(0);
      const good = await opened(service, (await make(service)).token);
      const cookies = Array.from({ length: 300 }, (_, n) => `${name}=${String(n).padStart(43, "x")}`);
      const statuses = await Promise.all(
        [...cookies, good].map(async (cookie) => (await read(service, cookie)).status),
      );
      expect(statuses).toEqual([...cookies.map(() => 401), 200]);
      expect(asked).toBeLessThan(30);
    });
  });

  test("a good cookie is found among those of others", async () => {
    const cookie = await opened(service, (await make(service)).token);
    expect((await read(service, `a=b; ${cookie};theme=dark`)).status).toBe(200);
  });

  test("of two cookies with the same name none counts, since another host set one of them", async () => {
    const [mine, theirs] = [
      await opened(service, (await make(service)).token),
      `__Host-maturity_session=${"x".repeat(43)}`,
    ];
    for (const cookie of [`${mine}; ${theirs}`, `${theirs}; ${mine}`, `${mine}; ${mine}`]) {
      expect((await read(service, cookie)).status).toBe(401);
    }
  });

  test("over TLS nobody puts another session beneath the one that is there", async () => {
    const { token } = await make(service, { bounds: { area: "mine" } });
    const planted = (await opened(service, (await make(service)).token)).replace("__Host-", "");
    const cookie = await opened(service, token);
    expect(await current(service, `${planted}; ${cookie}`)).toMatchObject({ bounds: { area: "mine" } });
  });

  test("a token that is sent counts, not the cookie beside it", async () => {
    const cookie = await opened(service, (await make(service)).token);
    const { token } = await make(service, { bounds: { area: "mine" } });
    const { body } = await read(service, cookie, "/whoami", { authorization: `Bearer ${token}` });
    expect(body.bounds).toEqual({ area: "mine" });
    expect((await read(service, cookie, "/whoami", { authorization: `Bearer ${createToken()}` })).status).toBe(401);
  });

  test("the database keeps nothing that opens a door", async () => {
    const { token } = await make(service);
    const cookie = await opened(service, token);
    const { rows } = await service.database.knex.raw("SELECT *, encode(hash, 'hex') AS hash FROM sessions");
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(cookie.split("=")[1]);
    expect(kept).not.toContain(hashToken(token));
  });

  test("answers of the lists are kept apart by cookie", async () => {
    const { headers } = await read(service, await opened(service, (await make(service)).token));
    expect(headers.vary).toContain("cookie");
    expect(headers["cache-control"]).toContain("private");
  });
});

test("a session is known to every copy, and so is its end", async () => {
  const databaseUrl = await createDatabase("postgres");
  const copy = () => useService({ databaseUrl, auth: "token" });
  const [first, second] = await Promise.all([copy(), copy()]);
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
  const none = { required: false, session: null };
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

describe("with ID tokens", () => {
  let issuer: TestIssuer;
  let service: TestService;
  beforeAll(async () => {
    issuer = await startIssuer();
    service = await startService({ auth: "token,oidc", oidc: trustIn(issuer) });
  });
  afterAll(async () => {
    await service.stop();
    await issuer.shut();
  });
  const claims = { ...github, environment: "production" };

  test("a session has the bounds of the rule, and lasts as long as the ID token", async () => {
    const { status, body, cookies } = await open(service, await issuer.sign(claims));
    expect(status).toBe(200);
    expect(body.session.bounds).toEqual({ area: "shop", team: "checkout", app: "cart" });
    expect(Date.parse(body.session.expires_at)).toBeLessThanOrEqual(Date.now() + 300_000);
    const cookie = cookieOf({ cookies });
    expect((await read(service, cookie)).status).toBe(200);
    expect((await read(service, cookie, "/areas?area=bank")).status).toBe(403);
  });

  test("none is opened for one that has expired, whatever the clocks, nor for one that may not read", async () => {
    const past = Math.floor(Date.now() / 1_000);
    for (const exp of [past - 3_600, past]) {
      expect((await open(service, await issuer.sign({ ...claims, iat: exp - 60, nbf: exp - 60, exp }))).status).toBe(
        401,
      );
    }
    expect((await open(service, await issuer.sign(github))).status).toBe(403);
    expect((await open(service, await issuer.sign({ ...claims, aud: "other" }))).status).toBe(401);
  });
});
