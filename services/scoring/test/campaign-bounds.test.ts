import { expect, test } from "vitest";
import { maxCampaigns } from "../src/store/campaigns.ts";
import { dayIn, report, secrets } from "./support/campaigns.ts";
import { holderOf } from "./support/people.ts";
import { expectRefusal, put } from "./support/requests.ts";
import { useService } from "./support/service.ts";

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
  const fill = (by: string, count: number) =>
    service.database.knex.raw(
      `INSERT INTO campaigns (name, why, owner, scope, goal, starts, due, created_by)
       SELECT 'x', '{}', 'x', '{}', '{}', ?::date, ?::date, ?::text FROM generate_series(1, ?::int)`,
      [dayIn(1), dayIn(9), by, count],
    );
  await fill("lead", maxCampaigns.caller - 1);
  await fill("root", maxCampaigns.caller);
  const whole = { ...secrets, scope: { teams: [checkout] } };
  expect((await lead.post("/campaigns", whole)).status).toBe(201);
  const refusal = { status: 409, code: "too-many-campaigns" };
  expectRefusal(await lead.post("/campaigns", whole), {
    ...refusal,
    message: /^this caller, which has bounds, made 50 /,
  });
  expect((await admin.post("/campaigns", whole)).status).toBe(201);
  await fill("root", maxCampaigns.all - 2 * maxCampaigns.caller - 1);
  expectRefusal(await admin.post("/campaigns", whole), { ...refusal, message: /^there are 500 / });
});
