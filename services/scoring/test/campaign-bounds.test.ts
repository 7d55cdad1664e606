import { expect, test } from "vitest";
import type { Scope } from "../src/model/grant.ts";
import { maxCampaigns } from "../src/store/campaigns.ts";
import { campaign, dayIn, report, secrets } from "./support/campaigns.ts";
import { holderOf } from "./support/people.ts";
import { expectRefusal, put } from "./support/requests.ts";
import { useService } from "./support/service.ts";
import { collect } from "./support/transfer.ts";

const checkout = { area: "shop", team: "checkout" };
const scores = { "security.secret_scan": { found: false } };

test("a caller with bounds learns nothing of the environments, tiers and labels outside", async () => {
  const open = await useService();
  const apps = [
    { ...checkout, app: "cart", tier: "near-tier", labels: { near: "near-value" } },
    { area: "bank", team: "pay", app: "ledger", tier: "zulu-two", labels: { zulu: "zulu-three", near: "zulu-four" } },
  ];
  await put(open, "/registry", { apps });
  await report(open, { ...checkout, app: "cart", env: "near-env" }, scores);
  await report(open, { area: "bank", team: "pay", app: "ledger", env: "zulu-one" }, scores);
  const service = await useService({ auth: "token", databaseUrl: open.databaseUrl });
  const lead = await holderOf(service, { name: "lead", scopes: ["campaign:write"], bounds: checkout });
  const tried = (scope: object) =>
    lead.post("/campaigns?dry_run=true", { ...secrets, scope: { teams: [checkout], ...scope } });
  for (const scope of [
    { env: ["near-env"], tier: ["near-tier"], labels: { near: ["near-value"] } },
    { env: ["near-env"] },
  ]) {
    expect(await tried(scope)).toMatchObject({ status: 200, body: { progress: { members: 1 } } });
  }
  for (const [of, scope] of [
    ["near", { env: ["near-enf"] }],
    ["near", { tier: ["near-tjer"] }],
    ["near", { labels: { neer: ["near-value"] } }],
    ["near", { labels: { near: ["near-valua"] } }],
    [undefined, { env: ["zulu-one"] }],
    [undefined, { env: ["zulu-onf"] }],
    [undefined, { tier: ["zulu-two"] }],
    [undefined, { labels: { zulu: ["zulu-three"] } }],
    [undefined, { labels: { near: ["zulu-four"] } }],
  ] as const) {
    const { status, body } = await tried(scope);
    expect(status).toBe(400);
    expect(/did you mean "(\w+)/.exec(String(body.message))?.[1]).toBe(of);
    expect(JSON.stringify(body)).not.toMatch(/did you mean \\"zulu/);
  }
});

test("a caller with bounds leaves room for the campaigns of others", async () => {
  const open = await useService();
  await report(open, { ...checkout, app: "cart", env: "prod" }, scores);
  const service = await useService({ auth: "token", databaseUrl: open.databaseUrl });
  const admin = await holderOf(service, { name: "root", scopes: ["admin"] });
  const lead = await holderOf(service, { name: "lead", scopes: ["campaign:write"], bounds: checkout });
  const namesake = await holderOf(service, { name: "lead", scopes: ["campaign:write"], bounds: checkout });
  const whole = { ...secrets, scope: { teams: [checkout] } };
  const ids = new Map<typeof lead, string>();
  for (const one of [lead, admin]) {
    const { status, body } = await one.post("/campaigns", whole);
    expect(status).toBe(201);
    ids.set(one, String(body.id));
  }
  const fill = (by: typeof lead, count: number) =>
    service.database.knex.raw(
      `INSERT INTO campaigns (name, why, owner, scope, goal, starts, due, created_by, creator)
       SELECT 'x', '{}', 'x', '{}', '{}', ?::date, ?::date, created_by, creator
       FROM campaigns, generate_series(1, ?::int) WHERE id = ?::uuid`,
      [dayIn(1), dayIn(9), count, ids.get(by) as string],
    );
  expect((await collect(service.database)).join("\n")).not.toContain('"creator"'); // another store numbers its tokens anew
  await fill(lead, maxCampaigns.caller - 2);
  await fill(admin, maxCampaigns.caller - 1);
  expect((await lead.post("/campaigns", whole)).status).toBe(201);
  const refusal = { status: 409, code: "too-many-campaigns" };
  expectRefusal(await lead.post("/campaigns", whole), {
    ...refusal,
    message: /^this caller, which has bounds, made 50 /,
  });
  expect((await namesake.post("/campaigns", whole)).status).toBe(201);
  expect((await admin.post("/campaigns", whole)).status).toBe(201);
  await fill(admin, maxCampaigns.all - 2 * maxCampaigns.caller - 2);
  expectRefusal(await admin.post("/campaigns", whole), { ...refusal, message: /^there are 500 / });
});

test("a change shows a caller with bounds nothing of a campaign outside, nor of what else it is for", async () => {
  const open = await useService();
  const pay = { area: "bank", team: "pay" };
  await report(open, { ...checkout, app: "cart", env: "prod" }, scores);
  await report(open, { ...pay, app: "ledger", env: "prod" }, scores);
  const idOf = async (scope: object) => (await campaign(open, { scope })).id;
  const [own, shared, all] = [
    await idOf({ teams: [checkout] }),
    await idOf({ areas: ["bank"], teams: [checkout, pay] }),
    await idOf({}),
  ];
  const hidden = await idOf({ areas: ["bank"], teams: [pay] });
  const service = await useService({ auth: "token", databaseUrl: open.databaseUrl });
  const holds = (name: string, scopes: readonly Scope[]) => holderOf(service, { name, scopes, bounds: checkout });
  for (const one of [await holds("writer", ["campaign:write"]), await holds("lead", ["campaign:write", "read"])]) {
    const renamed = (id: string) => one.patch(`/campaigns/${id}`, { name: "Other" });
    const none = "0195e1f4-3c1a-7c22-9d1e-2f8f4f0a1b11";
    const { message } = (await renamed(none)).body;
    expectRefusal(await renamed(hidden), { status: 404, code: "not-found" });
    expect((await renamed(hidden)).body.message).toBe(String(message).replace(none, hidden));
    for (const id of [shared, all]) {
      const answer = await renamed(id);
      expectRefusal(answer, { status: 403, code: "forbidden", message: /not for your bounds alone/ });
      expect(answer.body).not.toHaveProperty("details");
    }
    expect(await renamed(own)).toMatchObject({ status: 200, body: { name: "Other" } });
  }
  const reader = await holds("reader", ["read"]);
  for (const [id, status] of [...[own, shared, all].map((one) => [one, 200] as const), [hidden, 404] as const]) {
    expect(await reader.get(`/campaigns/${id}`)).toMatchObject({ status });
  }
});
