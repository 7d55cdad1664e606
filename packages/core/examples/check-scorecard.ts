import { test } from "node:test";
import { checkScorecard } from "@maturity/core/testing";
import { cost } from "./cost.ts";

const checks = checkScorecard(cost, {
  budget: {
    "within budget": { raw: { used_pct: 80 }, score: 100 },
    "a tenth over budget": { raw: { used_pct: 110 }, score: 48, reasons: ["used_pct"] },
    "half as much again": { raw: { used_pct: 150 }, score: 0 },
    "less than nothing": { raw: { used_pct: -1 }, refused: "raw.used_pct" },
  },
  servers: {
    "none wasted": { raw: { idle: 0, oversized: 0 }, score: 100 },
    "some wasted": { raw: { idle: 2, oversized: 5 }, score: 44.54, reasons: ["idle", "oversized"] },
    "half a server": { raw: { idle: 0.5, oversized: 0 }, refused: "raw.idle" },
  },
});

for (const { name, run } of checks) test(name, run);
