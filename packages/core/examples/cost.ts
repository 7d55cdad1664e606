import { defineMetric, defineScorecard, halving, type Metric, piecewise, type Scorecard } from "@maturity/core";
import { z } from "zod";

const budget: Metric<{ readonly used_pct: number }, "budget"> = defineMetric({
  name: "budget",
  title: "Share of the monthly budget that was spent",
  weight: 60,
  maxAgeHours: 30 * 24,
  raw: z.object({ used_pct: z.number().min(0) }),
  score: piecewise(
    "used_pct",
    [
      [80, 100],
      [100, 60],
      [150, 0],
    ],
    { label: "spending", unit: "% of the budget" },
  ),
  better: { used_pct: "lower" },
});

const servers: Metric<{ readonly idle: number; readonly oversized: number }, "servers"> = defineMetric({
  name: "servers",
  title: "Servers that cost more than they do",
  weight: 40,
  raw: z.object({ idle: z.int().min(0), oversized: z.int().min(0) }),
  score: halving({ idle: 3, oversized: 10 }, { noun: ["server", "servers"] }),
  better: { idle: "lower", oversized: "lower" },
});

/** What does it cost to run? */
export const cost: Scorecard<"cost", "budget" | "servers"> = defineScorecard({
  name: "cost",
  dimension: "run",
  weight: 20,
  package: { name: "@acme/cost", version: "1.0.0" },
  metrics: [budget, servers],
});
