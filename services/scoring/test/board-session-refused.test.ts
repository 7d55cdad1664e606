import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "../src/auth/token.ts";
import { close, current, make, open, opened, read, send, startWithScores, url } from "./support/board-session.ts";
import { engines, type TestService } from "./support/service.ts";

describe.each(engines)("what opens no session on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startWithScores(kind);
  });
  afterAll(() => service.stop());

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
    expect(await current(service, `${planted}; ${cookie}`)).toMatchObject({ grants: [{ bounds: { area: "mine" } }] });
  });
});
