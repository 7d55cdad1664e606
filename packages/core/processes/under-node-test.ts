import { test } from "node:test";
import { checkScorecard } from "@maturity/core/testing";
import { cost } from "../examples/cost.ts";

/** A test as an author writes it, for `node --test`; it passes when EXPECTED is 80. */
const cases = {
  budget: { "in the middle": { raw: { used_pct: 90 }, score: Number(process.env.EXPECTED) } },
  servers: { none: { raw: { idle: 0, oversized: 0 }, score: 100 } },
};

for (const { name, run } of checkScorecard(cost, cases)) test(name, run);
