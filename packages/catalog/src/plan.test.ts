import type { FormerName, RegisteredApp } from "@maturity/client";
import { expect, test } from "vitest";
import { planOf } from "./plan.ts";
import type { AppEntry } from "./reading.ts";

const now = "2027-01-01T00:00:00Z";
const entry = (app: string, facts: Partial<AppEntry> = {}): AppEntry => ({
  area: "shop",
  team: "checkout",
  app,
  ...facts,
});
const registered = (app: string, facts: Partial<RegisteredApp> = {}): RegisteredApp => ({
  ...entry(app),
  ...{
    env: null,
    owner: null,
    repo: null,
    tier: null,
    labels: {},
    registered_at: now,
    held_since: null,
    retired_at: null,
    reason: null,
  },
  ...facts,
});
const moved = (from: Partial<FormerName>, to: Partial<FormerName["moved_to"]>): FormerName => ({
  ...{ area: "shop", team: null, app: null, moved_at: now, used_at: null },
  ...from,
  moved_to: { area: "shop", team: null, app: null, ...to },
});

function plan(apps: readonly AppEntry[], registry: Partial<Parameters<typeof planOf>[1]> = {}) {
  const found = apps.map((entry, index) => ({ entry, file: "a.yaml", line: index + 1 }));
  const full = { registered: [], retired: [], formerNames: [], ...registry };
  const { added, changed, unchanged, absent, passedOver, notes } = planOf({ apps: found, passedOver: [] }, full);
  return {
    added: added.map(({ entry }) => Object.values(entry).join("/")),
    changed: changed.map(({ found, differences }) => [
      found.entry.app,
      ...differences.map((one) => Object.values(one).join(" ")),
    ]),
    unchanged: unchanged.map(({ entry }) => entry.app),
    absent: absent.map(({ app }) => app),
    notes: [...passedOver.map(({ why }) => why), ...notes],
  };
}

test("what is not registered is new, in the order of the names", () => {
  expect(plan([entry("b"), entry("a")]).added).toEqual(["shop/checkout/a", "shop/checkout/b"]);
});

test("each fact that differs is listed, also where one of the two says nothing", () => {
  const now = [
    registered("a", { owner: "ann", tier: "1", labels: { same: "x", cost: "a7" } }),
    registered("b", { owner: "ann" }),
  ];
  const next = [
    entry("a", { owner: "bob", repo: "https://x", labels: { same: "x", cost: "b1" } }),
    entry("b", { owner: "ann" }),
  ];
  expect(plan(next, { registered: now })).toEqual({
    added: [],
    changed: [["a", "owner ann bob", "repo  https://x", "tier 1 ", "labels.cost a7 b1"]],
    unchanged: ["b"],
    absent: [],
    notes: [],
  });
});

test("what the files do not have is listed for their areas alone", () => {
  const there = [registered("a"), registered("old"), registered("b", { area: "bank" })];
  expect(plan([entry("a")], { registered: there }).absent).toEqual(["old"]);
});

test("a retired application is passed over", () => {
  expect(plan([entry("a")], { retired: [registered("a", { retired_at: now })] })).toMatchObject({
    added: [],
    notes: ["shop / checkout / a is retired: maturity app restore brings it back"],
  });
});

test("an application is looked for under the name it has moved to", () => {
  const formerNames = [moved({ team: "checkout", app: "a" }, { team: "payments", app: "b" })];
  const there = [registered("b", { team: "payments" })];
  expect(plan([entry("a")], { formerNames, registered: there })).toMatchObject({
    unchanged: ["b"],
    notes: ["a.yaml:1: shop / checkout / a has moved to shop / payments / b, where it is registered"],
  });
});

test("a former name of an application wins over that of its team, and that over its area's", () => {
  const formerNames = [
    moved({}, { area: "store" }),
    moved({ team: "checkout" }, { team: "buying" }),
    moved({ team: "checkout", app: "a" }, { team: "payments", app: "a" }),
  ];
  const names = [entry("a"), entry("b"), entry("c", { team: "other" })];
  expect(plan(names, { formerNames }).added).toEqual(["shop/buying/b", "shop/payments/a", "store/other/c"]);
});

test("two names of one application are registered once", () => {
  const formerNames = [moved({ team: "checkout", app: "a" }, { team: "checkout", app: "b" })];
  expect(plan([entry("a"), entry("b")], { formerNames })).toMatchObject({
    added: ["shop/checkout/b"],
    notes: [
      "shop / checkout / b has moved to shop / checkout / b, which stands in a.yaml:1 already",
      "a.yaml:1: shop / checkout / a has moved to shop / checkout / b, where it is registered",
    ],
  });
});
