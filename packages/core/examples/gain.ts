import { createEngine, findGain } from "@maturity/core";
import { cost } from "./cost.ts";

const engine = createEngine([cost]);
const reported = { reported_at: "2026-02-27T08:00:00Z" };

const { metrics } = findGain(
  engine,
  {
    "cost.budget": { ...reported, score: 48, raw: { used_pct: 110 } },
    "cost.servers": { ...reported, score: 44.54, raw: { idle: 2, oversized: 5 } },
  },
  new Date("2026-03-01T12:00:00Z"),
);
for (const { metric, appGain, steps } of metrics) {
  console.log(`${metric} at 100: +${appGain.toFixed(1)}`);
  for (const step of steps) console.log(`  ${step.field} ${step.from} → ${step.to}: +${step.appGain.toFixed(1)}`);
}

// It prints:
// budget at 100: +31.2
//   used_pct 110 → 100: +7.2
// servers at 100: +22.2
//   idle 2 → 1: +4.6
//   oversized 5 → 4: +1.3
