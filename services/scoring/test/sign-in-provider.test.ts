import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCookieJar, signIn } from "./support/cookie-jar.ts";
import { readableLog } from "./support/log.ts";
import { sessionOf, signedIn, useProvider, useSigningService } from "./support/sign-in.ts";

const minuteMs = 60_000;

test("whoever signs in after the provider has changed its keys gets in, at the second try at the latest", async () => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  expect(await sessionOf(service, await signedIn(service, "1"))).toMatchObject({ name: "ann@acme.example" });
  await provider.rotate();
  const jar = createCookieJar();
  await signIn(jar, { service: service.url, sub: "2" });
  if ((await sessionOf(service, jar)) === null) await jar.open(new URL("/sign-in?to=board/", service.url));
  expect(await sessionOf(service, jar)).toMatchObject({ name: "bob@acme.example" });
});

test.each([
  ["five minutes ahead", 5 * minuteMs],
  ["five minutes behind", -5 * minuteMs],
])("the clock of a provider may be %s", async (_, ms) => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  provider.skew(ms);
  expect(await sessionOf(service, await signedIn(service, "1"))).toMatchObject({ name: "ann@acme.example" });
});

test("a clock that is half an hour off lets nobody in, and the page says what is wrong", async () => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  provider.skew(-30 * minuteMs);
  const jar = createCookieJar();
  const { response } = await signIn(jar, { service: service.url, sub: "1" });
  expect(response.status).toBe(502);
  expect(await response.text()).toContain("differ by more than five minutes");
  expect(await sessionOf(service, jar)).toBe(null);
});

/** A file with a secret of a client. */
async function secretFile(secret: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "maturity-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "secret");
  await writeFile(file, secret);
  return file;
}

test.each([
  ["a wrong secret", "hash"],
  ["no secret", undefined],
])("%s of the client lets nobody in, and the log says what the provider says", async (_, secret) => {
  const provider = await useProvider({ clientSecret: "hush" });
  const log = readableLog();
  const settings = secret === undefined ? {} : { client_secret_file: await secretFile(secret) };
  const service = await useSigningService(provider, { settings, logger: log.logger });
  const jar = createCookieJar();
  const { response } = await signIn(jar, { service: service.url, sub: "1" });
  expect(response.status).toBe(502);
  expect(await response.text()).toContain("the log has the reason");
  const [failure, ...more] = log.from(40).filter(({ msg }) => msg === "signing in failed");
  expect(more).toEqual([]);
  expect(failure?.reason).toMatch(/^server responded with [^:]+: HTTP status 40[01]: invalid_client: client auth/);
  expect(failure?.reason).not.toMatch(/\[object|hash/);
  expect(await sessionOf(service, jar)).toBe(null);
});

test("a provider that is down when the service starts, and comes back, holds nothing up", async () => {
  const provider = await useProvider();
  await provider.stop();
  const service = await useSigningService(provider);
  const refused = await fetch(`${service.url}/sign-in`, { redirect: "manual" });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("The provider does not answer");
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  await provider.start();
  expect(await sessionOf(service, await signedIn(service, "1"))).toMatchObject({ name: "ann@acme.example" });
});

test("a provider that is down when a person comes back from it lets nobody in, and later everybody", async () => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  const jar = createCookieJar();
  const { address } = await jar.open(`${service.url}/sign-in?to=board/`);
  let response = await jar.send(address, { method: "POST", body: new URLSearchParams({ person: "1" }) });
  let at = address.href;
  for (;;) {
    at = new URL(response.headers.get("location") ?? "", at).href;
    if (at.startsWith(service.url)) break;
    response = await jar.send(at);
  }
  await provider.stop();
  const refused = await jar.send(at);
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining("The provider does not answer"),
  ]);
  expect(await sessionOf(service, jar)).toBe(null);
  await provider.start();
  expect(await sessionOf(service, await signedIn(service, "1"))).toMatchObject({ name: "ann@acme.example" });
});

test("a callback with a made-up code takes the provider's settings from nobody, whether or not it answers", async () => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  const begun = await fetch(`${service.url}/sign-in`, { redirect: "manual" });
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
  const [cookie = ""] = begun.headers.getSetCookie()[0]?.split(";") ?? [];
  const junk = `${service.url}/sign-in/callback?${new URLSearchParams({ code: "junk", state, iss: provider.url })}`;
  expect((await fetch(junk, { headers: { cookie }, redirect: "manual" })).status).toBe(400);
  await provider.stop();
  for (let tries = 0; tries < 2; tries++) {
    const { status, headers } = await fetch(`${service.url}/sign-in`, { redirect: "manual" });
    expect([status, headers.get("location")]).toEqual([302, expect.stringMatching(`^${provider.url}/auth`)]);
  }
  await provider.start();
  expect(await sessionOf(service, await signedIn(service, "1"))).toMatchObject({ name: "ann@acme.example" });
});

test("while a provider is slow, everything else answers", async () => {
  const provider = await useProvider();
  const service = await useSigningService(provider);
  const jar = await signedIn(service, "1");
  const other = await useSigningService(provider, { databaseUrl: service.databaseUrl });
  provider.hang(true);
  let isAnswered = false;
  const waiting = Array.from({ length: 50 }, () =>
    fetch(`${other.url}/sign-in`, { redirect: "manual" }).finally(() => {
      isAnswered = true;
    }),
  );
  const cookie = `maturity_session=${jar.cookies("127.0.0.1").get("maturity_session")}`;
  expect((await fetch(`${other.url}/areas`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${other.url}/whoami`, { headers: { cookie } })).status).toBe(200);
  expect(isAnswered).toBe(false);
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(503);
  provider.hang(false);
  expect(await sessionOf(other, await signedIn(other, "2"))).toMatchObject({ name: "bob@acme.example" });
});
