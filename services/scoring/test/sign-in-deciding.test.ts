import { beforeEach, describe, expect, test } from "vitest";
import { parseOidcConfig } from "../src/auth/oidc-config.ts";
import { secrets } from "./support/campaigns.ts";
import { makeKnown } from "./support/known-names.ts";
import { type TestIssuer, useIssuer } from "./support/oidc-issuer.ts";
import { type Caller, holderOf } from "./support/people.ts";
import { type Answer, expectRefusal } from "./support/requests.ts";
import { type SigningService, useProvider, useSigningService } from "./support/sign-in.ts";

const waiver = {
  ...{ kind: "not_applicable", area: "shop", team: "checkout", app: "cart" },
  ...{ scorecard: "security", metric: "dast", reason: "it has no pages", owner: "Ann" },
};
const office = { scopes: ["read", "waiver:write"] };
const everybody = { match: { sub: "*" }, grant: office };
const own = { status: 403, code: "forbidden", message: /^you asked for this waiver yourself/ };

type Claims = Readonly<Record<string, unknown>>;
type Send = (method: "GET" | "POST" | "DELETE" | "PATCH", url: string, body?: object) => Promise<Answer>;

let issuer: TestIssuer;
let service: SigningService;
beforeEach(async () => {
  const provider = await useProvider();
  issuer = await useIssuer();
  const sign_in = {
    ...{ issuer: issuer.url, client_id: provider.clientId },
    rules: [{ match: { groups: "admins" }, grant: { scopes: ["admin"] } }, everybody],
  };
  const pipelines = { audience: "maturity", issuers: [{ url: issuer.url, rules: [everybody] }] };
  const oidc = parseOidcConfig(JSON.stringify({ ...pipelines, sign_in }), "oidc.yaml");
  service = await useSigningService(provider, { settings: sign_in, oidc });
  await makeKnown(service, waiver);
});

function sender(headers: Readonly<Record<string, string>>): Send {
  return async (method, url, body) => {
    const { statusCode, payload, ...answer } = await service.server.inject({
      ...{ method, url, headers: { ...headers, ...(body && { "content-type": "application/json" }) } },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: statusCode, headers: answer.headers, body: JSON.parse(payload) };
  };
}

/** Somebody who has signed in, as the provider names this person. */
async function person(sub: string, claims: Claims = {}): Promise<Send> {
  const { cookie } = await service.sessionFor(sub, claims);
  return sender({ cookie: `maturity_session=${cookie}`, "x-maturity-board": "1" });
}

async function ask(send: Send, more: object = {}): Promise<string> {
  const { status, body } = await send("POST", "/waivers", { ...waiver, ...more });
  expect([status, body.state], JSON.stringify(body)).toEqual([201, "requested"]);
  return String(body.id);
}

const decidable = async (send: Send) => (await send("GET", "/waivers?decidable=true")).body.total;

describe("nobody decides what he asked for", () => {
  test.each<[string, () => Promise<Send>]>([
    ["in another session", () => person("1")],
    ["as an admin", () => person("1", { groups: ["admins"] })],
    ["under another address", () => person("1", { email: "other@acme.example" })],
    ["without an address", () => person("1", { email_verified: false })],
    ["by another subject with the same address", () => person("77", { email: "ann@acme.example" })],
    ["with an address in capital letters", () => person("78", { email: "Ann@ACME.example" })],
    ["with an ID token of the same subject", async () => bearer(await issuer.sign({ sub: "1" }))],
    ["with an access token of the same name", async () => callerOf(await admin("Ann@Acme.Example"))],
  ])("%s", async (_, again) => {
    const id = await ask(await person("1"));
    const send = await again();
    expectRefusal(await send("POST", `/waivers/${id}/approve`, {}), own);
    expectRefusal(await send("POST", `/waivers/${id}/reject`, { comment: "no" }), own);
    expect(await decidable(send)).toBe(0);
    const other = await person("2");
    expect(await decidable(other)).toBe(1);
    expect((await other("POST", `/waivers/${id}/approve`, {})).body).toMatchObject({ state: "approved" });
  });

  test("with a session what was asked for with an ID token", async () => {
    const { body } = await bearer(await issuer.sign({ sub: "1" }))("POST", "/waivers", {
      ...{ ...waiver, state: "requested" },
    });
    const send = await person("1");
    expectRefusal(await send("POST", `/waivers/${body.id}/approve`, {}), own);
    expect(await decidable(send)).toBe(0);
  });

  test("nor an extension of it, also of what somebody else had asked for", async () => {
    const [ann, bob] = [await person("1"), await person("2")];
    const first = await ask(ann);
    await bob("POST", `/waivers/${first}/approve`, {});
    const second = await ask(bob, { extends: first });
    expectRefusal(await bob("POST", `/waivers/${second}/approve`, {}), own);
    expect((await ann("POST", `/waivers/${second}/approve`, {})).status).toBe(200);
    const third = await ask(ann, { extends: second });
    expectRefusal(await ann("POST", `/waivers/${third}/approve`, {}), own);
    expectRefusal(await (await person("1", { groups: ["admins"] }))("POST", `/waivers/${third}/approve`, {}), own);
  });

  const bearer = (token: string) => sender({ authorization: `Bearer ${token}` });
  const admin = (name: string) => holderOf(service, { name, scopes: ["admin"] });
  const callerOf =
    (caller: Caller): Send =>
    (method, url, body) =>
      method === "GET" ? caller.get(url) : caller.post(url, body);
});

test("the audit names each person with the provider, whatever the person did", async () => {
  const [ann, bob] = [await person("1"), await person("2", { groups: ["admins"] })];
  const [approved, rejected, withdrawn] = [await ask(ann), await ask(ann), await ask(ann)];
  await bob("POST", `/waivers/${approved}/approve`, {});
  await bob("DELETE", `/waivers/${approved}`);
  await bob("POST", `/waivers/${rejected}/reject`, { comment: "no" });
  await ann("POST", `/waivers/${withdrawn}/withdraw`, {});
  const campaign = await bob("POST", "/campaigns", secrets);
  expect([campaign.status, campaign.body.message]).toEqual([201, undefined]);
  await bob("PATCH", `/campaigns/${campaign.body.id}`, { state: "ended" });
  const { rows } = await service.database.knex.raw("SELECT action, actor FROM audit ORDER BY id");
  const named = (name: string) => `${name} (${issuer.url})`;
  expect(rows.map(({ action, actor }: Record<string, string>) => [action, actor])).toEqual([
    ...Array.from({ length: 3 }, () => ["waiver.request", named("ann@acme.example")]),
    ["waiver.approve", named("bob@acme.example")],
    ["waiver.revoke", named("bob@acme.example")],
    ["waiver.reject", named("bob@acme.example")],
    ["waiver.withdraw", named("ann@acme.example")],
    ["campaign.create", named("bob@acme.example")],
    ["campaign.end", named("bob@acme.example")],
  ]);
});
