import { randomUUID } from "node:crypto";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { useIssuer } from "./support/oidc-issuer.ts";
import type { OpenIdProvider } from "./support/openid-provider.ts";
import { until } from "./support/service.ts";
import { runOn, runWithoutSettings } from "./support/service-command.ts";
import { rules, type SigningService, sessionOf, signedIn, useProvider, useSigningService } from "./support/sign-in.ts";

let provider: OpenIdProvider;
let service: SigningService;
beforeEach(async () => {
  provider = await useProvider();
  service = await useSigningService(provider);
});

const board = { method: "POST", headers: { "x-maturity-board": "1" } };

test("signing out ends the session here, and says where it ends at the provider", async () => {
  const jar = await signedIn(service, "1");
  const other = await signedIn(service, "1");
  const cookie = `maturity_session=${jar.cookies("127.0.0.1").get("maturity_session")}`;
  const response = await jar.send(`${service.url}/sign-out`, board);
  const { location } = JSON.parse(await response.text());
  expect(jar.cookies("127.0.0.1").size).toBe(0);
  expect((await fetch(`${service.url}/whoami`, { headers: { cookie } })).status).toBe(401);
  expect(await sessionOf(service, other)).not.toBe(null);
  // At the provider the person confirms, and comes back to the Board; the back channel ends nothing of others.
  const confirmation = await jar.open(location);
  const form = await confirmation.response.text();
  const xsrf = /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? "";
  const body = new URLSearchParams({ xsrf, logout: "yes" });
  const { address } = await jar.open(`${provider.url}/session/end/confirm`, { method: "POST", body });
  expect(address.href).toBe(`${service.url}/board/`);
  const again = await jar.open(`${service.url}/sign-in?to=board/`);
  expect(again.address.pathname).toMatch(/^\/people\//); // the provider asks who it is
});

test("signing out is for the Board alone, and works while the provider is down", async () => {
  const jar = await signedIn(service, "1");
  expect((await jar.send(`${service.url}/sign-out`, { method: "POST" })).status).toBe(403);
  expect(await sessionOf(service, jar)).not.toBe(null);
  await provider.stop();
  const second = await useSigningService(provider, { databaseUrl: service.databaseUrl });
  const cookie = `maturity_session=${jar.cookies("127.0.0.1").get("maturity_session")}`;
  const response = await fetch(`${second.url}/sign-out`, { ...board, headers: { ...board.headers, cookie } });
  expect(await response.json()).toEqual({ location: null });
  expect(await sessionOf(service, jar)).toBe(null);
});

test("signing out at the provider ends the session at every instance", async () => {
  const other = await useSigningService(provider, { databaseUrl: service.databaseUrl });
  provider.trust(service.url);
  const [jar, elsewhere] = [await signedIn(service, "1"), await signedIn(service, "2")];
  const cookie = `maturity_session=${jar.cookies("127.0.0.1").get("maturity_session")}`;
  const form = await (await jar.open(`${provider.url}/session/end`)).response.text();
  const xsrf = /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? "";
  const body = new URLSearchParams({ xsrf, logout: "yes" });
  await jar.open(`${provider.url}/session/end/confirm`, { method: "POST", body });
  await until(async () => (await fetch(`${other.url}/whoami`, { headers: { cookie } })).status === 401);
  expect(await sessionOf(service, elsewhere)).not.toBe(null);
});

test("other rules end the sessions of people, and another contact does not", async () => {
  const { databaseUrl } = service;
  const cookie = `maturity_session=${(await service.sessionFor("1")).cookie}`;
  const statusAt = async (settings: object) => {
    const { server } = await useSigningService(provider, { databaseUrl, settings });
    return (await server.inject({ url: "/whoami", headers: { cookie } })).statusCode;
  };
  expect(await statusAt({ contact: "Ann" })).toBe(200);
  expect(await statusAt({ rules: rules.slice(1) })).toBe(401);
});

test("a session lasts twelve hours", async () => {
  const { expiresAt } = await service.sessionFor("1");
  const { rows } = await service.database.knex.raw("SELECT now() + interval '12 hours' AS end");
  expect(Math.abs(expiresAt.getTime() - rows[0].end.getTime())).toBeLessThan(60_000);
});

test("maturity-service session lists and revokes sessions, and the audit says so", async () => {
  const [ann, again, bob] = [
    await service.sessionFor("1"),
    await service.sessionFor("1"),
    await service.sessionFor("2"),
  ];
  const run = (...args: string[]) => runOn(service.database, ["session", ...args]);
  const status = async ({ cookie }: { cookie: string }) =>
    (await service.server.inject({ url: "/whoami", headers: { cookie: `maturity_session=${cookie}` } })).statusCode;
  const listed = await run("list");
  expect(listed).toMatch(/^ID +NAME +GRANTED BY +OPENED +EXPIRES\n/);
  const row = /^(\d+) +ann@acme\.example \(http:\S+\) +sign_in\.rules\[0\] sign_in\.rules\[1\] +\S+Z +\S+Z$/m;
  const [, id = ""] = row.exec(listed) ?? [];
  expect(await run("revoke", id)).toBe(`Revoked: ${id}. Every instance of the service refuses the next request.\n`);
  expect([await status(ann), await status(again), await status(bob)]).toEqual([401, 200, 200]);
  await run("revoke", "--name", "ann@acme.example");
  expect([await status(again), await status(bob)]).toEqual([401, 200]);
  await expect(run("revoke", id)).rejects.toThrow(`there is no session ${id} to revoke`);
  await expect(run("revoke", "--name", "ann@acme.example")).rejects.toThrow("there is no session of ann@acme.example");
  expect(await runWithoutSettings(["session", "revoke"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name either a number or --name"),
  });
  const { rows } = await service.database.knex.raw("SELECT actor, action, details FROM audit ORDER BY id");
  expect(rows).toMatchObject([
    { action: "session.revoke", details: { id: Number(id), name: "ann@acme.example", issuer: provider.url } },
    { action: "session.revoke", details: { name: "ann@acme.example" } },
  ]);
});

describe("a logout token", () => {
  const event = { "http://schemas.openid.net/event/backchannel-logout": {} };

  async function start() {
    const issuer = await useIssuer();
    const settings = { issuer: issuer.url };
    const own = await useSigningService(provider, { databaseUrl: service.databaseUrl, settings });
    const cookie = `maturity_session=${(await own.sessionFor("1")).cookie}`;
    const bobs = `maturity_session=${(await own.sessionFor("2")).cookie}`;
    const send = async (token: string) =>
      (
        await fetch(`${own.url}/sign-in/back-channel`, {
          ...{ method: "POST", body: new URLSearchParams({ logout_token: token }) },
        })
      ).status;
    const sign = (claims: object) =>
      issuer.sign({ aud: provider.clientId, sub: "1", events: event, nbf: undefined, ...claims });
    const isOver = async (cookie: string) => (await fetch(`${own.url}/whoami`, { headers: { cookie } })).status === 401;
    return { issuer, own, cookie, bobs, send, sign, isOver };
  }

  test("of a person ends all sessions of the person, once", async () => {
    const { own, cookie, bobs, send, sign, isOver } = await start();
    const token = await sign({});
    expect(await send(token)).toBe(200);
    expect([await isOver(cookie), await isOver(bobs)]).toEqual([true, false]);
    const later = `maturity_session=${(await own.sessionFor("1")).cookie}`;
    expect(await send(token)).toBe(200);
    expect(await isOver(later)).toBe(false);
    expect(await send(await sign({}))).toBe(200);
    expect(await isOver(later)).toBe(true);
  });

  test.each<[string, object]>([
    ["is for another client", { aud: "other" }],
    ["is of another issuer", { iss: "https://evil.example" }],
    ["is an ID token", { events: undefined, nonce: "x" }],
    ["has a nonce", { nonce: "x" }],
    ["has another event", { events: { other: {} } }],
    ["has no id", { jti: undefined }],
    ["names nobody", { sub: undefined }],
    ["was issued long ago", { iat: Math.floor(Date.now() / 1_000) - 3_600, exp: undefined }],
    ["has expired", { exp: Math.floor(Date.now() / 1_000) - 3_600 }],
  ])("that %s ends nothing", async (_, claims) => {
    const { cookie, send, sign, isOver } = await start();
    expect(await send(await sign(claims))).toBe(400);
    expect(await isOver(cookie)).toBe(false);
  });

  test("that is forged ends nothing, and no other body does", async () => {
    const { own, issuer, cookie, send, isOver } = await start();
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const claims = { iss: issuer.url, aud: provider.clientId, sub: "1", jti: randomUUID(), events: event };
    const forged = await new SignJWT(claims)
      .setIssuedAt()
      .setProtectedHeader({ alg: "RS256", kid: issuer.key().kid, jwk: await exportJWK(publicKey) })
      .sign(privateKey);
    const unsigned = new UnsecuredJWT(claims).setIssuedAt().encode();
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const bySecret = await new SignJWT(claims).setIssuedAt().setProtectedHeader({ alg: "HS256" }).sign(secret);
    for (const token of [forged, unsigned, bySecret, "x", "", "a.b.c"]) expect(await send(token)).toBe(400);
    const post = (init: RequestInit) => fetch(`${own.url}/sign-in/back-channel`, { method: "POST", ...init });
    expect((await post({})).status).toBe(415);
    expect((await post({ body: "{}", headers: { "content-type": "application/json" } })).status).toBe(415);
    expect((await post({ body: new URLSearchParams({ logout_token: "x".repeat(20_000) }) })).status).toBe(413);
    expect(await isOver(cookie)).toBe(false);
  });
});

test("two people in two browsers have a session each", async () => {
  const [ann, bob] = [await signedIn(service, "1"), await signedIn(service, "2")];
  expect((await sessionOf(service, ann)).name).toBe("ann@acme.example");
  expect((await sessionOf(service, bob)).name).toBe("bob@acme.example");
});
