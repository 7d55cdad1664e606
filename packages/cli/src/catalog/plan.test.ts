import type { RegisteredApp } from "@maturity/client";
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
  ...{ owner: null, repo: null, tier: null, labels: {}, registered_at: now, retired_at: null, reason: null },
  ...facts,
});
function plan(apps: readonly AppEntry[], registry: Partial<Parameters<typeof planOf>[1]> = {}) {
  const found = apps.map((entry, index) => ({ entry, file: "a.yaml", line: index + 1 }));
  const full = { registered: [], retired: [], ...registry };
  const { added, changed, unchanged, absent, passedOver, notes } = planOf({ apps: found, passedOver: [] }, full);
  return {
    added: added.map(({ entry }) => Object.values(entry).join("/")),
    changed: changed.map(({ found, differences }) => [
      found.entry.app,
      ...differences.map((one) => Object.values(one).join(" ")),
    ]),
    unchanged: unchanged.map(({ entry }) => entry.app),
    absent: absent.map(({ app }) => app),
    told: [...passedOver.map(({ why }) => why), ...notes],
  };
}

test("what is not registered is new, in the order of the names", () => {
  expect(plan([entry("b"), entry("a")]).added).toEqual(["shop/checkout/a", "shop/checkout/b"]);
});

test("each fact that differs is told, also where one of the two says nothing", () => {
  const now = [
    registered("a", { owner: "ann", tier: "1", labels: { kept: "x", cost: "a7" } }),
    registered("b", { owner: "ann" }),
  ];
  const next = [
    entry("a", { owner: "bob", repo: "https://x", labels: { kept: "x", cost: "b1" } }),
    entry("b", { owner: "ann" }),
  ];
  expect(plan(next, { registered: now })).toEqual({
    added: [],
    changed: [["a", "owner ann bob", "repo  https://x", "tier 1 ", "labels.cost a7 b1"]],
    unchanged: ["b"],
    absent: [],
    told: [],
  });
});

test("what the files do not have is told of their areas alone", () => {
  const there = [registered("a"), registered("old"), registered("b", { area: "bank" })];
  expect(plan([entry("a")], { registered: there }).absent).toEqual(["old"]);
});

test("a retired application is passed over", () => {
  expect(plan([entry("a")], { retired: [registered("a", { retired_at: now })] })).toMatchObject({
    added: [],
    told: ["shop / checkout / a is retired: maturity apps restore brings it back"],
  });
});
