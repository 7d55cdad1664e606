import { expect, test } from "vitest";
import { groupsOf, moversOf, totalsOf } from "./totals.ts";

const nothing = { report: 0, rules: 0, waiver: 0, policy: 0, move: 0, other: 0 };

function changed(area: string, team: string, app: string, causes: Partial<typeof nothing>) {
  const change = Object.values(causes).reduce((sum, points) => sum + points, 0);
  return {
    area,
    team,
    app,
    env: "prod",
    score_since: 50,
    score: 50 + change,
    change,
    causes: { ...nothing, ...causes },
    moved_by: causes.rules ? ["@maturity/security@1.1.0"] : [],
  };
}

const changes = [
  changed("shop", "checkout", "cart", { report: -6, rules: 1 }),
  changed("shop", "checkout", "pay", { report: 0.3 }),
  changed("shop", "search", "finder", { rules: 3 }),
  changed("bank", "cards", "ledger", { report: 2 }),
  { ...changed("bank", "cards", "new", {}), score_since: null, change: null, causes: null },
];

test("the causes are counted with what they took and gave, the greatest first", () => {
  expect(totalsOf(changes)).toEqual([
    { cause: "report", apps: 3, lost: -6, gained: 2.3 },
    { cause: "rules", apps: 2, lost: 0, gained: 4 },
  ]);
});

test("the packages are counted that moved applications", () => {
  expect(moversOf(changes)).toEqual([["@maturity/security@1.1.0", 2]]);
});

test("a team has the mean of its applications, and an area that of its teams", () => {
  expect(groupsOf(changes, "team")).toMatchObject([
    { area: "shop", team: "checkout", fell: 1, rose: 0, apps: 2, change: -2.35, causes: { report: -2.85, rules: 0.5 } },
    { area: "bank", team: "cards", fell: 0, rose: 1, apps: 1, change: 2 },
    { area: "shop", team: "search", rose: 1, change: 3 },
  ]);
  expect(groupsOf(changes, "area")).toMatchObject([
    { area: "shop", team: undefined, fell: 1, rose: 1, apps: 3, change: (-2.35 + 3) / 2 },
    { area: "bank", change: 2 },
  ]);
});
