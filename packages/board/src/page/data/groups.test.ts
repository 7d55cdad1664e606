import type { App } from "@maturity/client";
import { rollUp } from "@maturity/core";
import { security } from "@maturity/security";
import { expect, test } from "vitest";
import { keyOfGroup, partsOf } from "./groups.ts";

const at = new Date("2026-01-01");
const records = [
  { team: "checkout", app: "cart", metric: "image_scan", score: 20 },
  { team: "checkout", app: "cart", metric: "sast", score: 70 },
  { team: "checkout", app: "vouchers", metric: "sast", score: 100 },
  { team: "search", app: "finder", metric: "dast", score: 5 },
].map((record) => ({ area: "shop", env: "prod", scorecard: "security", reported_at: at, ...record }));

test("where one scorecard is all there is, an area and a team have the scores that rollUp gives them", () => {
  const { apps, teams, areas } = rollUp([security], records, at);
  const listed = apps.map(({ freshCoverage, scorecards, ...app }) => ({
    ...app,
    fresh_coverage: freshCoverage,
    scorecards: scorecards.map(({ freshCoverage, ...one }) => ({ ...one, fresh_coverage: freshCoverage })),
  }));
  const parts = partsOf(listed as unknown as App[]);
  for (const { area, team, score, count } of teams) {
    expect(parts.get(keyOfGroup({ area, team }))).toEqual({ scorecards: new Map([["security", score]]), apps: count });
  }
  const [area] = areas;
  expect(parts.get(keyOfGroup({ area: "shop" }))).toEqual({
    scorecards: new Map([["security", area?.score]]),
    apps: 3,
  });
});
