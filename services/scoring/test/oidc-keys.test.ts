import { randomUUID } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseOidcConfig } from "../src/auth/oidc-config.ts";
import { type ReadableLog, readableLog } from "./support/log.ts";
import { type Reply, type TestIssuer, useIssuer } from "./support/oidc-issuer.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";

let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase("postgres");
});

let log: ReadableLog;
let issuer: TestIssuer;
let service: TestService;
beforeEach(async () => {
  log = readableLog();
  issuer = await useIssuer();
  service = await useServiceFor(issuer);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => void vi.useRealTimers());

/** A service that lets these issuers' tokens read. */
function useServiceFor(...issuers: readonly TestIssuer[]): Promise<TestService> {
  const rules = [{ match: { sub: "test" }, grant: { scopes: ["read"] } }];
  const text = JSON.stringify({ audience: "maturity", issuers: issuers.map(({ url }) => ({ url, rules })) });
  return useService({
    databaseUrl,
    auth: "oidc",
    oidc: parseOidcConfig(text, "x"),
    logger: log.logger,
  });
}

const minutes = 60;
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

let addresses = 0;

/** Asks for something that needs a token, from an address of its own. */
async function ask(token: string) {
  const { statusCode, headers, payload } = await service.server.inject({
    url: "/metrics/service",
    remoteAddress: `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: statusCode, headers, payload, code: statusCode === 200 ? undefined : JSON.parse(payload).code };
}
const status = async (token: string) => (await ask(token)).status;

/** A token of the issuer by a key that it does not have. */
async function forged(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  return new SignJWT({ iss: issuer.url, aud: "maturity", sub: "test", exp: Math.floor(Date.now() / 1_000) + 300 })
    .setProtectedHeader({ alg: "ES256", kid: randomUUID() })
    .sign(privateKey);
}

describe("the keys", () => {
  test("are fetched when first needed, and once for all tokens, those at once included", async () => {
    expect(issuer.asked()).toBe(0);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
    expect(await Promise.all(tokens.map(status))).toEqual(tokens.map(() => 200));
    expect(await status(await issuer.sign())).toBe(200);
    expect(issuer.asked()).toBe(1);
  });

  test("are fetched anew for a token with a new one; of the withdrawn one only what is remembered stays good", async () => {
    const old = await issuer.sign({ exp: Math.floor(Date.now() / 1_000) + 60 * minutes });
    const remembered = await issuer.sign();
    expect(await status(remembered)).toBe(200);
    await issuer.rotate();
    later(31);
    expect(await status(await issuer.sign())).toBe(200);
    expect(issuer.asked()).toBe(2);
    expect(await status(old)).toBe(401);
    expect(await status(remembered)).toBe(200);
  });

  test("are fetched anew after ten minutes, so that a withdrawn one is good no longer, new or not", async () => {
    const old = await issuer.sign({ exp: Math.floor(Date.now() / 1_000) + 60 * minutes });
    expect(await status(await issuer.sign())).toBe(200);
    await issuer.rotate();
    later(11 * minutes);
    expect(await status(old)).toBe(401);
  });

  test("when withdrawn are trusted for ten minutes in all, also by a token that was looked at in the last of them", async () => {
    const [start, now] = [Date.now(), performance.now.bind(performance)];
    // What is remembered is forgotten by this clock.
    const spy = vi.spyOn(performance, "now").mockImplementation(() => now() + Date.now() - start);
    onTestFinished(() => spy.mockRestore());
    const exp = Math.floor(Date.now() / 1_000) + 60 * minutes;
    const [early, late] = [await issuer.sign({ exp }), await issuer.sign({ exp })];
    expect(await status(early)).toBe(200);
    await issuer.rotate();
    later(9 * minutes);
    expect([await status(early), await status(late)]).toEqual([200, 200]);
    later(1 * minutes + 1);
    for (const token of [early, late]) await until(async () => (await status(token)) === 401);
  });

  test("are not fetched for every token with a key that does not exist", async () => {
    for (let round = 1; round <= 3; round++) {
      for (let count = 0; count < 20; count++) expect(await status(await forged())).toBe(401);
      expect(issuer.asked()).toBe(round);
      later(31);
    }
  });

  test("are not fetched for tokens that could not be good anyway", async () => {
    const [, payload] = (await issuer.sign()).split(".");
    for (const alg of ["none", "HS256", "RS1"]) {
      const header = Buffer.from(JSON.stringify({ alg, kid: "x" })).toString("base64url");
      expect(await status(`${header}.${payload}.AAAA`)).toBe(401);
    }
    expect(issuer.asked()).toBe(0);
  });

  test.each(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])("may be of %s", async (algorithm) => {
    await issuer.rotate(algorithm);
    expect(await status(await issuer.sign())).toBe(200);
  });

  test.each(["RS512", "ES512"])("may not be of %s", async (algorithm) => {
    await issuer.rotate(algorithm);
    expect(await status(await issuer.sign())).toBe(401);
  });

  test("of one issuer are not good for another", async () => {
    const other = await useIssuer();
    service = await useServiceFor(issuer, other);
    expect(await status(await other.sign())).toBe(200);
    expect(await status(await other.sign({ iss: issuer.url }))).toBe(401);
    expect(await status(await issuer.sign({ iss: other.url }))).toBe(401);
  });
});

describe("while the issuer is down", () => {
  test("before its keys are known, callers are asked to come again, and nothing else is affected", async () => {
    await issuer.shut();
    const answer = await ask(await issuer.sign());
    expect(answer).toMatchObject({ status: 503, code: "issuer-unavailable", headers: { "retry-after": "10" } });
    expect(answer.payload).not.toMatch(/ECONNREFUSED|\.ts:/);
    expect(JSON.stringify(log.from(50))).toContain("ECONNREFUSED");
    expect((await service.server.inject("/healthz")).statusCode).toBe(200);
    const counted = await service.metrics.registry.getSingleMetricAsString("maturity_authentication_failures_total");
    expect(counted).toMatch(/_total 0$/m);
    await issuer.open();
    later(11);
    expect(await status(await issuer.sign())).toBe(200);
  });

  test("it is left alone for a while", async () => {
    issuer.answer("document", { status: 500 });
    for (let count = 0; count < 20; count++) expect(await status(await issuer.sign())).toBe(503);
    expect(issuer.asked()).toBe(1);
    issuer.answer("document", undefined);
    later(11);
    expect(await status(await issuer.sign())).toBe(200);
    expect(issuer.asked()).toBe(2);
  });

  test("known keys stay good for a day, unknown ones cannot be recognized", async () => {
    const remembered = await issuer.sign();
    expect(await status(remembered)).toBe(200);
    await issuer.shut();
    expect(await status(remembered)).toBe(200);
    expect(await status(await issuer.sign())).toBe(200);
    later(31);
    expect(await status(await forged())).toBe(503);
    expect(await status(await issuer.sign())).toBe(200);
    later(11 * minutes);
    expect(await status(await issuer.sign())).toBe(200);
    expect(await status(await issuer.sign({ aud: "other" }))).toBe(401);
    await issuer.rotate();
    expect(await status(await issuer.sign())).toBe(503);
    later(24 * 60 * minutes);
    expect(await status(await issuer.sign())).toBe(503);
    await issuer.open();
    later(11);
    expect(await status(await issuer.sign())).toBe(200);
  });

  test("after a day without it, not even known keys are good", async () => {
    expect(await status(await issuer.sign())).toBe(200);
    await issuer.shut();
    later(24 * 60 * minutes + 1);
    expect(await status(await issuer.sign())).toBe(503);
  });

  test("when it takes the request and says nothing, others do not wait", async () => {
    issuer.answer("document", "silence");
    const waiting = status(await issuer.sign());
    await until(() => issuer.asked() === 1);
    expect((await service.server.inject("/healthz")).statusCode).toBe(200);
    expect(await waiting).toBe(503);
  });
});

const useless: Readonly<Record<string, { path: "document" | "keys"; reply: (url: string) => Reply }>> = {
  "no document": { path: "document", reply: () => ({ status: 404 }) },
  "a document elsewhere": { path: "document", reply: (url) => ({ status: 302, location: `${url}/keys` }) },
  "a document that is no JSON": { path: "document", reply: () => ({ body: "<html>" }) },
  "the document of another issuer": {
    path: "document",
    reply: (url) => ({ body: { issuer: `${url}/`, jwks_uri: `${url}/keys` } }),
  },
  "a document without keys": { path: "document", reply: (url) => ({ body: { issuer: url } }) },
  "keys that anybody in between could change": {
    path: "document",
    reply: (url) => ({ body: { issuer: url, jwks_uri: "http://keys.example/" } }),
  },
  "keys in a file": { path: "document", reply: (url) => ({ body: { issuer: url, jwks_uri: "file:///etc/keys" } }) },
  "a document without end": {
    path: "document",
    reply: (url) => ({ body: { issuer: url, jwks_uri: `${url}/keys`, more: "x".repeat(1_048_576) } }),
  },
  "keys without end": { path: "keys", reply: () => ({ body: { keys: [issuer.key()], more: "x".repeat(1_048_576) } }) },
  "no keys": { path: "keys", reply: () => ({ status: 500 }) },
  "keys that are no JSON": { path: "keys", reply: () => ({ body: "keys" }) },
  "keys that are no set": { path: "keys", reply: () => ({ body: { keys: "none" } }) },
};

test.each(Object.entries(useless))("an issuer that gives %s is as good as down", async (_, { path, reply }) => {
  issuer.answer(path, reply(issuer.url));
  expect(await ask(await issuer.sign())).toMatchObject({ status: 503, code: "issuer-unavailable" });
  issuer.answer(path, undefined);
  later(11);
  expect(await status(await issuer.sign())).toBe(200);
});

test("an issuer without a single key lets nobody in", async () => {
  issuer.answer("keys", { body: { keys: [] } });
  expect(await status(await issuer.sign())).toBe(401);
});
