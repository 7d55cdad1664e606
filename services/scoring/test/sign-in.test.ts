import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createCookieJar, signIn } from "./support/cookie-jar.ts";
import { readableLog } from "./support/log.ts";
import type { OpenIdProvider } from "./support/openid-provider.ts";
import { createDatabase, engines, useService } from "./support/service.ts";
import { people, sessionOf, signedIn, useProvider, useSigningService } from "./support/sign-in.ts";

let provider: OpenIdProvider;
beforeEach(async () => {
  provider = await useProvider();
});

describe.each(engines)("on %s", (kind) => {
  test("a person signs in, and ends at the view that was asked for", async () => {
    const service = await useSigningService(provider, { databaseUrl: await createDatabase(kind) });
    const jar = createCookieJar();
    const view = "board/areas/shop?env=prod&sort=-score";
    const { address, response } = await signIn(jar, { service: service.url, sub: "1", view });
    expect(address.href).toBe(`${service.url}/${view}`);
    expect(response.status).toBe(404); // the page of the tests has this one view alone: board/
    expect(await sessionOf(service, jar)).toEqual({
      name: "ann@acme.example",
      scopes: ["read", "waiver:request", "waiver:write"],
      grants: [
        { scopes: ["read", "waiver:request"], bounds: { team: "checkout" }, rule: "sign_in.rules[0]" },
        { scopes: ["read", "waiver:request"], bounds: { team: "till" }, rule: "sign_in.rules[0]" },
        { scopes: ["read", "waiver:write", "waiver:request"], bounds: { area: "shop" }, rule: "sign_in.rules[1]" },
      ],
      kind: "sign_in",
      expires_at: expect.stringMatching(/Z$/),
    });
    expect([...jar.cookies("127.0.0.1").keys()]).toEqual(["maturity_session"]);
    expect((await jar.send(`${service.url}/whoami`)).status).toBe(200);
  });
});

test("groups may come from userinfo alone", async () => {
  const service = await useSigningService(await useProvider({ configuration: { conformIdTokenClaims: true } }));
  const { name, grants } = await sessionOf(service, await signedIn(service, "1"));
  expect({ name, grants: grants.length }).toEqual({ name: "ann@acme.example", grants: 3 });
});

test("a confidential client sends its secret", async () => {
  const secret = "hush: %&/";
  const confidential = await useProvider({ clientSecret: secret });
  const folder = await mkdtemp(join(tmpdir(), "maturity-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const client_secret_file = join(folder, "secret");
  await writeFile(client_secret_file, `${secret}\n`);
  const service = await useSigningService(confidential, { settings: { client_secret_file } });
  expect(await sessionOf(service, await signedIn(service, "2"))).toMatchObject({ name: "bob@acme.example" });
});

test("a rule takes the right to ask for waivers away", async () => {
  const service = await useSigningService(provider);
  expect(await sessionOf(service, await signedIn(service, "2"))).toMatchObject({
    scopes: ["read"],
    grants: [{ scopes: ["read"], bounds: {}, rule: "sign_in.rules[2]" }],
  });
});

test("an address that the provider has not verified names nobody, and fits no rule", async () => {
  const [, bob] = people as [unknown, (typeof people)[number]];
  const claims = { sub: "2", email: bob.email, email_verified: false, groups: ["visitors"] };
  const careless = await useProvider({
    configuration: { findAccount: (_, accountId) => ({ accountId, claims: async () => claims }) },
  });
  const byAddress = { match: { email: "*@acme.example" }, grant: { scopes: ["admin"] } };
  const byGroup = { match: { groups: "visitors" }, grant: { scopes: ["read"] } };
  const service = await useSigningService(careless, { settings: { rules: [byAddress, byGroup] } });
  expect(await sessionOf(service, await signedIn(service, "2"))).toMatchObject({
    name: "2",
    grants: [{ rule: "sign_in.rules[1]" }],
  });
});

test("a person whom no rule fits hears so, with the groups and whom to ask, and so is the log", async () => {
  const log = readableLog();
  const service = await useSigningService(provider, { logger: log.logger, settings: { contact: "the platform team" } });
  const jar = createCookieJar();
  const { response } = await signIn(jar, { service: service.url, sub: "3" });
  expect(response.status).toBe(403);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toContain("You are signed in as eve@evil.example, but no rule");
  expect(page).toContain("Your groups: strangers, &#60;b&#62;others&#60;/b&#62;.");
  expect(page).toContain("ask the platform team");
  expect(log.from(40)).toMatchObject([{ person: "eve@evil.example", groups: ["strangers", "<b>others</b>"] }]);
  expect(await sessionOf(service, jar)).toBe(null);
});

test("somebody in thousands of groups sees the first of them, and whoever fits too many rules keeps the first", async () => {
  const groups = Array.from({ length: 3_000 }, (_, index) => `group-${index}`);
  const [, , eve] = people as [unknown, unknown, (typeof people)[number]];
  const crowded = await useProvider({ people: [{ ...eve, groups }] });
  const log = readableLog();
  const stranger = await useSigningService(crowded, { logger: log.logger });
  const { response } = await signIn(createCookieJar(), { service: stranger.url, sub: "3" });
  const page = await response.text();
  expect(page).toContain("group-99, and 2900 more.");
  expect(page).not.toContain("group-100");
  expect(log.from(40)).toMatchObject([{ groups: expect.arrayContaining(["group-0", "and 2900 more"]) }]);

  const rules = [{ match: { groups: "{team}" }, grant: { team: "{team}", scopes: ["read"] } }];
  const member = await useSigningService(crowded, { logger: log.logger, settings: { rules } });
  expect((await sessionOf(member, await signedIn(member, "3"))).grants).toHaveLength(200);
  expect(log.from(40).at(-1)).toMatchObject({ person: "eve@evil.example", grants: 2_800 });
});

test("a group with an invalid name grants nothing, the others count, and the log says which it is", async () => {
  const [, , eve] = people as [unknown, unknown, (typeof people)[number]];
  const odd = ["team/shop/till ", "team/sh\u200bop/cart", `team/shop/${"a".repeat(201)}`];
  const provider = await useProvider({ people: [{ ...eve, groups: [...odd, "team/shop/checkout", "team/shop/"] }] });
  const log = readableLog();
  const rules = [
    { match: { groups: "team/{area}/{team}" }, grant: { area: "{area}", team: "{team}", scopes: ["read"] } },
  ];
  const service = await useSigningService(provider, { logger: log.logger, settings: { rules } });
  expect((await sessionOf(service, await signedIn(service, "3"))).grants).toMatchObject([
    { bounds: { area: "shop", team: "checkout" } },
  ]);
  const length = "must be a text of 1 to 200 characters, without a space at either end";
  expect(log.from(40)).toMatchObject([
    {
      person: "eve@evil.example",
      names: [
        `sign_in.rules[0]: the team ${length}: till `,
        "sign_in.rules[0]: the area must not hold U+200B, which is not printable, as character 3: sh\u200bop",
        expect.stringMatching(`^sign_in\\.rules\\[0\\]: the team ${length}: a+…$`),
      ],
    },
  ]);
});

test("a person who refuses hears so, and can begin again", async () => {
  const service = await useSigningService(provider);
  const { response } = await signIn(createCookieJar(), { service: service.url, view: "board/?env=prod" });
  expect(response.status).toBe(403);
  const page = await response.text();
  expect(page).toContain("The provider says that access was refused.");
  expect(page).toContain('<a href="../sign-in?to=board%2F%3Fenv%3Dprod">Sign in again</a>');
});

test("where people sign in, the Board takes no token", async () => {
  const service = await useSigningService(provider);
  const { statusCode, payload } = await service.server.inject({
    ...{ method: "POST", url: "/board/session", payload: JSON.stringify({ token: "x" }) },
    headers: { "content-type": "application/json" },
  });
  expect([statusCode, JSON.parse(payload).message]).toEqual([403, "the Board takes no token here: sign in"]);
});

test("without sign_in there is no way to sign in", async () => {
  const { server } = await useService({ auth: "token" });
  for (const url of ["/sign-in", "/sign-in/callback"]) expect((await server.inject(url)).statusCode).toBe(404);
});
