import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import { queueDue } from "../src/notifications/digest/digest.ts";
import { openDatabase } from "../src/store/database.ts";
import { alertRows, noneWaits, retryNow } from "./support/alert-rows.ts";
import { campaign, dayIn } from "./support/campaigns.ts";
import { type ChatServer, useChatServer } from "./support/chat-server.ts";
import { ageScores } from "./support/days.ts";
import { always, announced, daysAgo, depsOf, store } from "./support/digests.ts";
import { notifyFolder, secretOf } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, until, useService } from "./support/service.ts";
import { runOn, runWithoutSettings } from "./support/service-command.ts";
import { inDays, waive } from "./support/waivers.ts";

/** The next digest is due, for all that happened in a week. */
async function beDue({ database }: TestService): Promise<void> {
  await database.knex.raw("UPDATE digested_until SET due_at = now() - interval '7 days'");
}

describe.each(engines)("a digest on %s", (kind) => {
  test("shows each channel what became better and worse and why, what ends, and what went stale", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await store(service, "cart", 40);
    await store(service, "cart", 90, { metric: "dast" });
    await store(service, "pay", 80);
    await store(service, "rest", 70);
    await ageScores(service.database.knex, 15);
    await store(service, "cart", 90);
    await store(service, "cart", 90, { metric: "dast" });
    await store(service, "pay", 30.25);
    await report(service, { app: "cart", chat_channel: "#cart" });
    await waive(service, {
      area: "shop",
      team: "checkout",
      scorecard: "security",
      metric: "image_scan",
      expires_at: inDays(3),
    });
    await waive(service, { area: "shop", scorecard: "security", metric: "secret_scan", expires_at: inDays(30) });
    const ending = `• ${inDays(3).slice(0, 10)}: security.image_scan of shop/checkout; ann: for the test`;
    const better = "• shop/checkout/cart (prod) 65 → 90 (+25): security.sast 40 → 90";
    const worse = "• shop/checkout/pay (prod) 80 → 30.3 (−49.7): security.sast 80 → 30.3";
    const stale = `• shop/checkout/rest (prod) security.sast, last measured ${daysAgo(15).toISOString().slice(0, 10)}`;
    // The applications without a channel are announced in that of their team.
    expect(await announced(service)).toEqual({
      "#cart": [
        ...["*Worse* (1)", worse, "*Better* (1)", better],
        ...["*Waivers that end* (1)", ending, "*Gone stale* (1)", stale],
      ],
    });
    await report(service, { app: "pay", chat_channel: "#pay" });
    await report(service, { app: "rest", chat_channel: "#rest" });
    expect(await announced(service)).toEqual({
      "#cart": ["*Better* (1)", better, "*Waivers that end* (1)", ending],
      "#pay": ["*Worse* (1)", worse, "*Waivers that end* (1)", ending],
      "#rest": ["*Waivers that end* (1)", ending, "*Gone stale* (1)", stale],
    });
  });
});

test("says nothing where nothing changed, and nothing of what is waived", async () => {
  const service = await useService();
  await store(service, "cart", 40);
  await ageScores(service.database.knex, 15);
  await waive(service, { area: "shop", app: "cart", team: "checkout", scorecard: "security", metric: "sast" });
  expect(await announced(service)).toEqual({});
  await beDue(service);
  expect(await queueDue(depsOf(service))).toMatchObject({ messages: 0 });
  expect(await queueDue(depsOf(service, { ...always, lastDue: () => daysAgo(1) }))).toBe(undefined);
});

test("shows how running campaigns stand in each area where somebody is left", async () => {
  const service = await useService();
  for (const [app, area, score] of [
    ["cart", "shop", 100],
    ["pay", "shop", 40],
    ["ledger", "bank", 100],
  ] as const) {
    await store(service, app, score, { area });
  }
  await campaign(service, { name: "No <weakness>", goal: { metric: "security.sast", min: 90 } });
  const draft = dayIn(2);
  await campaign(service, { name: "Later", goal: { metric: "security.sast", min: 90 }, starts: draft });
  const { signal } = new AbortController();
  await recordCampaigns({ database: service.database, rules: { scorecards: shippedEngine.scorecards }, signal });
  const line = `• No &lt;weakness&gt;, due ${dayIn(60)}: 1 of 2 of shop meet the goal`;
  expect((await announced(service))["#platform"]).toEqual(["*Campaigns* (1)", line]);
});

test("shows new rules and waivers by their share", async () => {
  const service = await useService();
  const raw = { critical: 1 };
  await store(service, "cart", 40, { raw });
  await store(service, "cart", 80, { raw, metric: "dast" });
  await ageScores(service.database.knex, 8);
  await store(service, "cart", 60, { raw, scorer: "@maturity/security@9.0.0" });
  const { "#platform": [, line] = [] } = await announced(service);
  expect(line).toMatch(/: rules \+[\d.]+, security\.sast 40 → 60$/);
  await waive(service, { area: "shop", scorecard: "security", metric: "sast" });
  const { "#platform": [, waived] = [] } = await announced(service);
  expect(waived).toMatch(/ → 80 \(\+[\d.]+\): .*waivers \+/);
});

async function useChat(): Promise<{ chat: ChatServer; service: TestService; moved: () => Promise<void> }> {
  const chat = await useChatServer(() => ({ ok: true }));
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  return {
    ...{ chat, service },
    async moved() {
      await store(service, "cart", 40);
      await ageScores(service.database.knex, 8);
      await store(service, "cart", 90);
    },
  };
}

test("instances that find it due at the same moment send it once", async () => {
  const { chat, service, moved } = await useChat();
  await moved();
  const instances = await Promise.all(Array.from({ length: 4 }, () => openDatabase(service.databaseUrl, 2)));
  try {
    const due = daysAgo(1);
    const schedule = { ...always, lastDue: () => due };
    const all = () => Promise.all(instances.map((database) => queueDue(depsOf({ database }, schedule))));
    expect(await all()).toEqual(instances.map(() => undefined)); // the first start begins, and shows nothing of the past
    await beDue(service);
    expect((await all()).filter((queued) => queued !== undefined)).toEqual([{ due, messages: 1 }]);
    expect(await all()).toEqual(instances.map(() => undefined));
    await until(() => noneWaits(service.databaseUrl));
    expect(chat.messages().map(({ channel, text }) => [channel, text.split("\n")[1]])).toEqual([
      ["#platform", "*Better* (1)"],
    ]);
  } finally {
    await Promise.all(instances.map((instance) => instance.close()));
  }
});

test("one that cannot be made is made at the next look", async () => {
  const { service, moved } = await useChat();
  await moved();
  await beDue(service);
  const { knex } = service.database;
  await knex.raw("ALTER VIEW problems_by_name RENAME TO away");
  await expect(queueDue(depsOf(service))).rejects.toThrow("problems");
  await knex.raw("ALTER VIEW away RENAME TO problems_by_name");
  expect(await queueDue(depsOf(service))).toMatchObject({ messages: 1 });
});

test("one that the chat refuses is listed among the dead letters, and put back", async () => {
  let isThere = false;
  const chat = await useChatServer(() => (isThere ? { ok: true } : { error: "channel_not_found" }));
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  await store(service, "cart", 40);
  await ageScores(service.database.knex, 8);
  await store(service, "cart", 90);
  await beDue(service);
  await queueDue(depsOf(service));
  await until(async () => (await alertRows(service.databaseUrl)).some(({ state }) => state === "dead"));
  expect(await runOn(service.database, ["notifications", "list"])).toMatch(
    /chat #platform +- +channel_not_found +What changed since/,
  );
  isThere = true;
  await runOn(service.database, ["notifications", "retry", "--all"]);
  await retryNow(service.databaseUrl);
  await until(() => chat.messages().length === 1);
});

test("names from reports are shown literally", async () => {
  const { service } = await useChat();
  await store(service, "<!channel> *x* &", 40);
  await ageScores(service.database.knex, 8);
  await store(service, "<!channel> *x* &", 90);
  expect((await announced(service))["#platform"]?.[1]).toContain("shop/checkout/&lt;!channel&gt; *x* &amp; (prod)");
});

test("a section shows its worst lines, and how many more there are", async () => {
  const { service } = await useChat();
  const apps = Array.from({ length: 11 }, (_, index) => `app-${index}`);
  for (const app of apps) await store(service, app, 90);
  await ageScores(service.database.knex, 8);
  for (const [index, app] of apps.entries()) await store(service, app, 80 - index);
  const lines = (await announced(service))["#platform"] ?? [];
  expect([lines[0], lines[1], lines.at(-1), lines.length]).toEqual([
    "*Worse* (11)",
    expect.stringContaining("app-10"),
    "and 3 more",
    10,
  ]);
});

test("a move takes the channel of an application along", async () => {
  const { service, moved } = await useChat();
  await moved();
  await report(service, { chat_channel: "#cart" });
  const move = { from: { area: "shop", team: "checkout" }, to: { area: "shop", team: "payments" } };
  expect((await post(service, "/apps/move", move)).status).toBe(200);
  expect((await announced(service))["#cart"]?.[1]).toContain("shop/payments/cart");
});

test("the command prints what would be announced, and sends nothing", async () => {
  const { chat, service, moved } = await useChat();
  expect(await runOn(service.database, ["digest"])).toBe("There is no digest: nothing changed.\n");
  await moved();
  expect(await runOn(service.database, ["digest"])).toMatch(
    /^To no channel, since CHAT_DEFAULT_CHANNEL is not set:\nWhat changed since .*\nBetter \(1\)\n• shop/,
  );
  const found = (HISTORY_DAYS: string) =>
    runOn(service.database, ["digest", "--days", "31"], { env: { HISTORY_DAYS } });
  expect(await found("8")).toContain("Better (1)");
  expect(await found("0")).toBe("There is no digest: nothing changed.\n");
  const folder = await notifyFolder(
    'destinations: { a: { kind: webhook, url: "https://a.example/", secret_file: one } }\nroutes: [{ types: [problem.*], to: [a] }]',
    { one: secretOf("one") },
  );
  const env = { NOTIFY: join(folder, "notify.yaml") };
  expect(await runOn(service.database, ["digest"], { env })).toBe(
    "There is no digest: no route of NOTIFY takes digest.\n",
  );
  expect(await runWithoutSettings(["digest", "--days", "0"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("from 1 to 31"),
  });
  expect(chat.calls).toEqual([]);
});
