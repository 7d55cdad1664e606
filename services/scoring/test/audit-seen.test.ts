import { expect, test } from "vitest";
import type { Bounds, Scope } from "../src/model/grant.ts";
import type { AuditEntry } from "../src/store/audit.ts";
import { record, tokenOf } from "./support/audit.ts";
import { readPage } from "./support/reading.ts";
import { type TestService, useService } from "./support/service.ts";

type Item = Record<string, unknown>;

/** Items as a caller within these bounds sees them, the oldest first. */
async function seenBy(
  service: TestService,
  bounds: Bounds,
  query: Readonly<Record<string, string>> = {},
  scopes: readonly Scope[] = ["read"],
) {
  const { items, total } = await readPage<Item>(service, "/audit", query, await tokenOf(service, bounds, scopes));
  expect(total).toBe(items.length);
  return items.toReversed();
}

test("a move is shown to readers of either side, and its new name only to those who may read that", async () => {
  const service = await useService({ auth: "token" });
  const from = { area: "shop", team: "checkout", app: "cart" };
  const within = { ...from, app: "basket" };
  const beyond = { area: "bank", team: "loans", app: "cart" };
  for (const to of [within, beyond]) {
    await record(service, [{ action: "app.move", target: from, details: { to, merge: false, scores: 3 } }]);
  }
  const said = { merge: false, scores: 3 };
  const moved = async (bounds: Bounds, scopes?: readonly Scope[]) =>
    (await seenBy(service, bounds, {}, scopes)).map(({ details, text }) => [details, text]);
  const [toBasket, toBank, away] = [
    [{ ...said, to: within }, "moved shop/checkout/cart to shop/checkout/basket"],
    [{ ...said, to: beyond }, "moved shop/checkout/cart to bank/loans/cart"],
    [said, "moved shop/checkout/cart to another part of the organisation"],
  ];
  for (const scopes of [["read"], ["admin"]] as const) {
    expect(await moved({ area: "shop" }, scopes)).toEqual([toBasket, away]);
    expect(await moved({ area: "bank" }, scopes)).toEqual([toBank]);
    expect(await moved({ area: "bank", team: "cards" }, scopes)).toEqual([]);
    expect(await moved({}, scopes)).toEqual([toBasket, toBank]);
  }
  expect((await seenBy(service, {}, { area: "bank" })).map(({ text }) => text)).toEqual([toBank?.[1]]);
});

test("a move of an area or a team is shown to readers within either side, without how much moved elsewhere", async () => {
  const service = await useService({ auth: "token" });
  const said = { merge: false, apps: 9 };
  await record(service, [
    { action: "app.move", target: { area: "old" }, details: { to: { area: "neu" }, ...said } },
    {
      ...{ action: "app.move", target: { area: "neu", team: "a" } },
      details: { to: { area: "neu", team: "b" }, ...said },
    },
  ]);
  const moved = async (bounds: Bounds, scopes?: readonly Scope[]) =>
    (await seenBy(service, bounds, {}, scopes)).map(({ text, details }) => [text, (details as typeof said).apps]);
  const [area, team] = ["moved old to neu", "moved neu/a to neu/b"];
  const hidden = "moved old to another part of the organisation";
  for (const scopes of [["read"], ["admin"]] as const) {
    expect(await moved({ area: "old" }, scopes)).toEqual([[hidden, 9]]);
    expect(await moved({ area: "old", team: "t" }, scopes)).toEqual([[hidden, undefined]]);
    expect(await moved({ area: "neu" }, scopes)).toEqual([
      [area, 9],
      [team, 9],
    ]);
    expect(await moved({ area: "neu", team: "b" }, scopes)).toEqual([
      [area, undefined],
      [team, 9],
    ]);
    expect(await moved({ area: "neu", team: "c", app: "x" }, scopes)).toEqual([[area, undefined]]);
    expect(await moved({ area: "pay" }, scopes)).toEqual([]);
  }
});

test("a reader sees what concerns his bounds, and nothing beside or above", async () => {
  const service = await useService({ auth: "token" });
  const ofShop = { scope: { areas: ["shop", "pay"] } };
  await record(service, [
    { actor: "everywhere" },
    { actor: "area", target: { area: "shop" } },
    { actor: "team", target: { area: "shop", team: "checkout" } },
    { actor: "app", target: { area: "shop", team: "checkout", app: "cart" } },
    { actor: "elsewhere", target: { area: "pay", team: "checkout", app: "cart" } },
    { actor: "rules", action: "policy.load" },
    { actor: "waiver", action: "waiver.create", target: { area: "shop" } },
    { actor: "campaign", action: "campaign.start", details: ofShop },
    { actor: "campaign of all", action: "campaign.start", details: { scope: { tier: [1] } } },
    { actor: "token", action: "token.create", target: { area: "shop" } },
  ]);
  const seen = async (bounds: Bounds, query = {}) => (await seenBy(service, bounds, query)).map(({ actor }) => actor);
  const [rules, ofAll] = ["rules", "campaign of all"];
  const whole = [...["everywhere", "area", "team", "app", "elsewhere", rules, "waiver", "campaign", ofAll]];
  expect(await seen({})).toEqual(whole);
  expect(await seen({ area: "shop" })).toEqual(["area", "team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({}, { area: "shop" })).toEqual(["area", "team", "app", rules, "waiver", "campaign", ofAll]);
  const checkout = { area: "shop", team: "checkout" };
  expect(await seen(checkout)).toEqual(["team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ area: "shop" }, checkout)).toEqual(["team", "app", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ app: "cart" })).toEqual(["app", "elsewhere", rules, "waiver", "campaign", ofAll]);
  expect(await seen({ area: "none" })).toEqual([rules, ofAll]);
  expect(await seen({ area: "shop" }, { kind: "waiver" })).toEqual(["waiver"]);
  expect(await seen({ area: "shop" }, { kind: "policy", actor: "rules" })).toEqual([rules]);
});

test("only an admin sees tokens, and what details say of operators and of others", async () => {
  const service = await useService({ auth: "token" });
  const change = { setting: "weights.scorecards.security", from: 35, to: 40 };
  await record(service, [
    { action: "policy.load", details: { file: "/etc/maturity/policy.yaml", changes: [change] } },
    { action: "campaign.create", target: { area: "shop" }, details: { name: "all", scope: { areas: ["shop"] } } },
    { action: "token.create", target: { area: "shop" }, details: { name: "ci", scopes: ["read"] } },
    { action: "session.revoke", details: { name: "bob" } },
  ]);
  const rules = "loaded other rules: weights.scorecards.security 35 → 40";
  expect(await seenBy(service, {})).toMatchObject([
    { details: { changes: [change] }, text: rules },
    { details: { name: "all" }, text: "made the campaign all, due an unknown day" },
  ]);
  expect(JSON.stringify(await seenBy(service, {}))).not.toMatch(/policy\.yaml|scope/);
  const whole = await seenBy(service, {}, {}, ["admin"]);
  expect(whole.map(({ action }) => action)).toEqual([
    ...["policy.load", "campaign.create", "token.create", "session.revoke"],
  ]);
  expect(whole[0]?.details).toMatchObject({ file: "/etc/maturity/policy.yaml" });
  const bound = await seenBy(service, { area: "shop" }, {}, ["admin"]);
  expect(bound.map(({ text }) => text)).toEqual([
    ...[rules, "made the campaign all, due an unknown day", "made the token ci with read, bound to shop"],
  ]);
  expect(bound[0]?.details).toEqual({ changes: [change] });
});

test("the session of a reader opens it, with what a reader sees", async () => {
  const service = await useService({ auth: "token" });
  await record(service, [{ action: "token.create" }, { action: "app.retire", target: { area: "shop" } }]);
  const headers = await tokenOf(service, {});
  const opened = await service.server.inject({
    ...{ method: "POST", url: "/board/session" },
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    payload: JSON.stringify({ token: headers.authorization.slice("Bearer ".length) }),
  });
  expect(opened.statusCode).toBe(200);
  const cookie = String(opened.headers["set-cookie"]).split(";", 1)[0];
  const { items } = await readPage<Item>(service, "/audit", {}, { cookie: cookie ?? "" });
  expect(items.map(({ action }) => action)).toEqual(["app.retire"]);
});

test("each action reads as a sentence after the name of its actor", async () => {
  const service = await useService();
  const cart = { area: "shop", team: "checkout", app: "cart" };
  const waiver = {
    ...{ scorecard: "security", metric: "dast", problem_type: null, reason: "no staging yet", owner: "ann" },
    ...{ expires_at: "2026-11-30T12:00:00.000Z", requested_by: "bob" },
  };
  const [first, ...others] = ["a", "b", "c", "d"].map((one) => `shop/checkout/${one}`);
  const said: readonly [Partial<AuditEntry>, string][] = [
    [
      { action: "app.register", target: cart, details: { registered: 1, changed: 0, apps: ["shop/checkout/cart"] } },
      "registered shop/checkout/cart",
    ],
    [
      {
        ...{ action: "app.register", target: { area: "shop" } },
        details: { registered: 3, changed: 1, apps: [first, ...others] },
      },
      "registered 3 applications and changed the registration of 1 application of shop: shop/checkout/a, shop/checkout/b, shop/checkout/c and 1 more",
    ],
    [
      { action: "app.retire", target: { ...cart, env: "prod" }, details: { reason: "gone" } },
      "retired shop/checkout/cart (prod): gone",
    ],
    [
      { action: "waiver.approve", target: cart, details: { ...waiver, comment: "fine" } },
      "approved a waiver of security.dast for shop/checkout/cart until 30 November 2026, which bob asked for",
    ],
    [
      { action: "waiver.request", target: { area: "shop" }, details: { ...waiver, metric: null, expires_at: null } },
      "asked for a waiver of security for shop: no staging yet",
    ],
    [
      {
        action: "waiver.create",
        target: cart,
        details: { ...waiver, metric: null, scorecard: null, problem_type: "cve" },
      },
      "waived the problem cve for shop/checkout/cart until 30 November 2026: no staging yet",
    ],
    [
      { action: "campaign.start", details: { name: "No secrets", due: "2026-12-31" } },
      "started the campaign No secrets, due 31 December 2026",
    ],
    [
      { action: "replay.apply", details: { scorers: ["@maturity/security@1.1.0"], phase: "end", written: 3 } },
      "scored again what is stored by @maturity/security@1.1.0",
    ],
    [
      { action: "policy.load", details: { changes: [{ setting: "weights.scorecards.cost", from: null, to: 10 }] } },
      "loaded the first rules",
    ],
    [{ action: "app.hold", details: { applications: 2 } }, "held 2 applications that nobody registered"],
  ];
  await record(
    service,
    said.map(([entry]) => entry),
  );
  const { items } = await readPage<Item>(service, "/audit");
  expect(items.toReversed().map(({ text }) => text)).toEqual(said.map(([, text]) => text));
});
