import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type CookieJar, createCookieJar, signIn } from "./support/cookie-jar.ts";
import { type OpenIdProvider, startOpenIdProvider } from "./support/openid-provider.ts";
import {
  people,
  type SigningService,
  sessionOf,
  signedIn,
  startSigningService,
  useProvider,
  useSigningService,
} from "./support/sign-in.ts";

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({ people });
  return () => provider.stop();
});

/** Signs in up to the address at which the provider sends the browser back, which is not opened. */
async function stoppedBeforeCallback(
  jar: CookieJar,
  { url }: SigningService,
  sub: string,
  view = "board/",
): Promise<string> {
  const { address } = await jar.open(`${url}/sign-in?to=${encodeURIComponent(view)}`);
  let response = await jar.send(address, { method: "POST", body: new URLSearchParams({ person: sub }) });
  for (;;) {
    const location = new URL(response.headers.get("location") ?? "", address).href;
    if (location.startsWith(`${url}/sign-in/callback`)) return location;
    response = await jar.send(location);
  }
}

async function refusalAt(jar: CookieJar, callback: string): Promise<string> {
  const response = await jar.send(callback);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.headers.getSetCookie().join()).not.toMatch(/maturity_session=\w/);
  const page = await response.text();
  expect(page).toContain("Sign in again");
  return `${response.status} ${/<h1>(.*)<\/h1>/.exec(page)?.[1]}`;
}

const notBegun = "400 This sign-in was not begun here";

describe("a callback", () => {
  let service: SigningService;
  beforeAll(async () => {
    service = await startSigningService(provider);
    return () => service.stop();
  });

  test("that another browser began is refused, and so is one of nobody", async () => {
    const [ann, bob] = [createCookieJar(), createCookieJar()];
    const [forAnn, forBob] = [
      await stoppedBeforeCallback(ann, service, "1"),
      await stoppedBeforeCallback(bob, service, "2"),
    ];
    expect(await refusalAt(ann, forBob)).toBe(notBegun);
    expect(await refusalAt(createCookieJar(), forAnn)).toBe(notBegun);
    // Who was led to a callback of somebody else can still end the own one.
    expect((await ann.send(forAnn)).status).toBe(302);
    expect(await sessionOf(service, ann)).toMatchObject({ name: "ann@acme.example" });
  });

  test("counts once, also for a browser that kept the sealed attempt", async () => {
    const jar = createCookieJar();
    const callback = await stoppedBeforeCallback(jar, service, "1");
    const sealed = jar.cookies("127.0.0.1").get("maturity_sign_in");
    expect((await jar.send(callback)).status).toBe(302);
    expect(jar.cookies("127.0.0.1").has("maturity_sign_in")).toBe(false);
    expect(await refusalAt(jar, callback)).toBe(notBegun);
    const replayed = await fetch(callback, { headers: { cookie: `maturity_sign_in=${sealed}` }, redirect: "manual" });
    expect(replayed.status).toBe(400);
    expect(await replayed.text()).toContain("used before, or is too old");
    expect(replayed.headers.getSetCookie().join()).not.toMatch(/maturity_session=\w/);
  });

  test("after ten minutes is refused, by a page that leads to the view that was asked for", async () => {
    const jar = createCookieJar();
    const callback = await stoppedBeforeCallback(jar, service, "1", "board/?env=prod");
    const cookie = `maturity_sign_in=${jar.cookies("127.0.0.1").get("maturity_sign_in")}`;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    onTestFinished(() => void vi.useRealTimers());
    const response = await fetch(callback, { headers: { cookie }, redirect: "manual" });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("Signing in took too long");
    expect(page).toContain('<a href="../sign-in?to=board%2F%3Fenv%3Dprod">Sign in again</a>');
  });

  test("of another attempt of the same browser leads to the view that was asked for last", async () => {
    const jar = createCookieJar();
    const first = await stoppedBeforeCallback(jar, service, "1", "board/?area=a");
    await jar.send(`${service.url}/sign-in?to=${encodeURIComponent("board/?area=b")}`);
    const page = await (await jar.send(first)).text();
    expect(page).toContain('<a href="../sign-in?to=board%2F%3Farea%3Db">Sign in again</a>');
  });

  test.each([
    ["another state", (url: URL) => url.searchParams.set("state", "x")],
    ["no state", (url: URL) => url.searchParams.delete("state")],
    ["two states", (url: URL) => url.searchParams.append("state", "x")],
  ])("with %s is refused", async (_, change) => {
    const jar = createCookieJar();
    const callback = new URL(await stoppedBeforeCallback(jar, service, "1"));
    change(callback);
    expect(await refusalAt(jar, callback.href)).toBe(notBegun);
  });

  test.each([
    ["a made-up code", (url: URL) => url.searchParams.set("code", "x")],
    ["another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
    ["no code", (url: URL) => url.searchParams.delete("code")],
  ])("with %s is refused", async (_, change) => {
    const jar = createCookieJar();
    const callback = new URL(await stoppedBeforeCallback(jar, service, "1"));
    change(callback);
    expect(await refusalAt(jar, callback.href)).toMatch(/^(?:400|502) You are not signed in$/);
  });

  test("with a sealed attempt that was changed is refused", async () => {
    const jar = createCookieJar();
    const callback = await stoppedBeforeCallback(jar, service, "1");
    const sealed = jar.cookies("127.0.0.1").get("maturity_sign_in") ?? "";
    for (const forged of [`${sealed.slice(0, -2)}AA`, sealed.replace(/^[^.]+/, "e30"), "a.b.c.d.e", "x"]) {
      const response = await fetch(callback, { headers: { cookie: `maturity_sign_in=${forged}` }, redirect: "manual" });
      expect(response.status).toBe(400);
    }
  });

  test("never takes over a session that the browser brought", async () => {
    const jar = createCookieJar();
    const planted = "p".repeat(43);
    const callback = await stoppedBeforeCallback(jar, service, "1");
    const cookie = `maturity_session=${planted}; maturity_sign_in=${jar.cookies("127.0.0.1").get("maturity_sign_in")}`;
    const response = await fetch(callback, { headers: { cookie }, redirect: "manual" });
    const [, session] = /maturity_session=([\w-]{43});/.exec(response.headers.getSetCookie().join()) ?? [];
    expect(session).toBeDefined();
    expect(session).not.toBe(planted);
    const planter = await fetch(`${service.url}/whoami`, { headers: { cookie: `maturity_session=${planted}` } });
    expect(planter.status).toBe(401);
  });

  test.each([
    ...["//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example", "https://evil.example/board/"],
    ...["board/..//evil.example", "board/%2e%2e//evil.example", "board/..\\\\evil.example", "board/.\t.//evil.example"],
    ...["board/\r\n../", "javascript:alert(1)", "data:text/html,x", "%62oard/", "/board/", ""],
  ])("cannot be led to %j", async (to) => {
    const response = await fetch(`${service.url}/sign-in?to=${encodeURIComponent(to)}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).toContain("There is no such view");
  });

  test.each([
    "to=board/&to=//evil.example",
    "to[]=//evil.example",
    "to=board/%0d%0aset-cookie:%20a=b",
    "to=board/%2f%2fx",
  ])("with the query %s ends below the Board, with no header of it", async (query) => {
    const jar = createCookieJar();
    const { address } = await jar.open(`${service.url}/sign-in?${query}`);
    const location = `${service.url}/sign-in/callback`;
    let response = await jar.send(address, { method: "POST", body: new URLSearchParams({ person: "1" }) });
    let at = address.href;
    for (let isCallback = false; !isCallback; ) {
      at = new URL(response.headers.get("location") ?? "", at).href;
      isCallback = at.startsWith(location);
      response = await jar.send(at);
    }
    const end = new URL(response.headers.get("location") ?? "", at);
    expect([end.origin, end.pathname.startsWith("/board/")]).toEqual([service.url, true]);
    expect(jar.cookies("127.0.0.1").has("a")).toBe(false);
  });

  test("brings a second person of the browser in place of the first", async () => {
    const jar = await signedIn(service, "1");
    const first = jar.cookies("127.0.0.1").get("maturity_session");
    const provider = createCookieJar(); // a private window at the provider alone
    const callback = await stoppedBeforeCallback(provider, service, "2");
    const cookie = `maturity_session=${first}; maturity_sign_in=${provider.cookies("127.0.0.1").get("maturity_sign_in")}`;
    const response = await fetch(callback, { headers: { cookie }, redirect: "manual" });
    const second = /maturity_session=[\w-]{43}/.exec(response.headers.getSetCookie().join())?.[0] ?? "";
    const now = await fetch(`${service.url}/whoami`, { headers: { cookie: second } });
    expect(await now.json()).toMatchObject({ name: "bob@acme.example" });
  });
});

describe("over TLS", () => {
  const publicUrl = "https://maturity.acme.example/maturity";
  const headers = { host: "10.0.0.7:8080" };

  test("cookies have the prefix that no other host of the domain can set, and plain ones do not count", async () => {
    const service = await useSigningService(provider, { settings: { public_url: publicUrl } });
    const { headers: sent } = await service.server.inject({ url: "/sign-in?to=board/", headers });
    expect(String(sent.location)).toContain(encodeURIComponent(`${publicUrl}/sign-in/callback`));
    expect(String(sent["set-cookie"])).toMatch(
      /^__Host-maturity_sign_in=[\w.-]+; Max-Age=600; Expires=[^;]+; Secure; HttpOnly; SameSite=Lax; Path=\/$/,
    );
    expect(sent["cache-control"]).toBe("no-store");
    const { cookie } = await service.sessionFor("1");
    const whoAmI = (name: string) =>
      service.server.inject({ url: "/whoami", headers: { ...headers, cookie: `${name}=${cookie}` } });
    expect((await whoAmI("__Host-maturity_session")).statusCode).toBe(200);
    expect((await whoAmI("maturity_session")).statusCode).toBe(401);
  });
});

test("signing in ends only where it began, with one attempt a browser", async () => {
  const service = await useSigningService(await useProvider());
  const jar = createCookieJar();
  const first = await stoppedBeforeCallback(jar, service, "1");
  await signIn(jar, { service: service.url, sub: "1" }).catch(() => {}); // another tab, where the provider knows the person
  expect(await refusalAt(jar, first)).toBe(notBegun);
});
