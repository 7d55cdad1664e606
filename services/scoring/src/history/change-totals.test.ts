import { expect, test } from "vitest";
import { totalsOf } from "./change-totals.ts";

const nothing = { report: 0, rules: 0, waiver: 0, policy: 0, move: 0, other: 0 };

function changed(area: string, team: string, app: string, causes: Partial<typeof nothing>, env = "prod") {
  const change = Object.values(causes).reduce((sum, points) => sum + points, 0);
  return {
    ...{ area, team, app, env, score_since: 50, score: 50 + change, thin: false, change },
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
  changed("shop", "checkout", "cart", { waiver: 0.04, rules: 0.04 }, "staging"),
];

test("a team has the mean of its applications, an area that of its teams, and the organisation that of its areas", () => {
  const moved_by = [{ name: "@maturity/security@1.1.0", apps: 1 }];
  expect(totalsOf(changes, true, "team")).toMatchObject([
    { ...{ area: "shop", team: "checkout", env: "prod", apps: 2, new: 0, fell: 1, rose: 0, change: -2.35, moved_by } },
    { ...{ area: "shop", team: "search", env: "prod", apps: 1, fell: 0, rose: 1, change: 3, moved_by } },
    { ...{ area: "bank", team: "cards", env: "prod", apps: 1, new: 1, fell: 0, rose: 1, change: 2, moved_by: [] } },
    { ...{ area: "shop", team: "checkout", env: "staging", fell: 0, rose: 0, change: 0.08, moved: [], moved_by: [] } },
  ]);
  const shop = (-2.35 + 3) / 2;
  expect(totalsOf(changes, true, "area")).toMatchObject([
    { ...{ area: "shop", team: null, env: "prod", apps: 3, new: 0, fell: 1, rose: 1, change: shop } },
    { ...{ area: "bank", team: null, env: "prod", apps: 1, new: 1, fell: 0, rose: 1, change: 2 } },
    { ...{ area: "shop", team: null, env: "staging", apps: 1 } },
  ]);
  const [prod] = totalsOf(changes, true, "organisation");
  expect(prod).toEqual({
    ...{ area: null, team: null, env: "prod", apps: 4, new: 1, fell: 1, rose: 2, change: (shop + 2) / 2 },
    causes: { ...nothing, report: (-2.85 / 2 + 2) / 2, rules: (0.5 + 3) / 4 },
    moved: [
      { cause: "report", apps: 3, lost: -6, gained: 2.3 },
      { cause: "rules", apps: 2, lost: 0, gained: 4 },
    ],
    moved_by: [{ name: "@maturity/security@1.1.0", apps: 2 }],
  });
});

test("nothing is compared where no application had a score then", () => {
  const [, , , , fresh] = changes;
  expect(totalsOf(fresh ? [fresh] : [], true, "organisation")).toEqual(
    [{ ...{ area: null, team: null, env: "prod", apps: 0, new: 1, fell: 0, rose: 0, change: null, causes: null } }].map(
      (one) => ({ ...one, moved: [], moved_by: [] }),
    ),
  );
});

test("beyond the history nothing says what is new", () => {
  const unknown = changes.map((one) => ({ ...one, score_since: null, change: null, causes: null }));
  expect(totalsOf(unknown, false, "organisation")).toMatchObject([
    { env: "prod", apps: 0, new: null, change: null },
    { env: "staging", apps: 0, new: null, change: null },
  ]);
});
