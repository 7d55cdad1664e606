import { defineMetric, defineScorecard, halving, type Metric, piecewise, type Scorecard } from "@maturity/core";

const budget: Metric<{ readonly used_pct: number }, "budget"> = defineMetric({
  name: "budget",
  title: "Share of the monthly budget that was spent",
  weight: 60,
  maxAgeHours: 30 * 24,
  inputs: { used_pct: { label: "spending", unit: "% of the budget", min: 0 } },
  score: piecewise([
    [80, 100],
    [100, 60],
    [150, 0],
  ]),
});

const servers: Metric<{ readonly idle: number; readonly oversized: number }, "servers"> = defineMetric({
  name: "servers",
  title: "Servers that cost more than they do",
  weight: 40,
  inputs: {
    idle: { unit: ["idle server", "idle servers"] },
    oversized: { unit: ["oversized server", "oversized servers"] },
  },
  score: halving({ idle: 3, oversized: 10 }),
});

/** What does it cost to run? */
export const cost: Scorecard<"cost", typeof budget | typeof servers> = defineScorecard({
  name: "cost",
  dimension: "run",
  weight: 20,
  package: { name: "@acme/cost", version: "1.0.0" },
  metrics: [budget, servers],
});
