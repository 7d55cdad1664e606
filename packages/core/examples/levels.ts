import { type Level, rollUpApp } from "@maturity/core";
import { levelFacts, levelOf } from "@maturity/core/wire";
import { cost } from "./cost.ts";

const levels: Level[] = [
  { name: "bronze", minScore: 50 },
  { name: "silver", minScore: 65, metrics: { "cost.servers": 80 } },
  { name: "gold", minScore: 85, minFresh: 0.9, noOpenProblems: "critical" },
];
const reported_at = "2026-02-27T08:00:00Z";
const [budget, servers] = [
  { score: 60, reported_at },
  { score: 75, reported_at },
]; // in the order of the metrics
const app = rollUpApp([cost], { "cost.budget": budget, "cost.servers": servers }, new Date("2026-03-01T12:00:00Z"));
const facts = levelFacts([cost], [budget, servers], [], { critical: 0, high: 0, medium: 0, low: 0, info: 0 });

if (app) {
  const level = levelOf(app, facts, levels);
  console.log(`${app.score}: ${level?.name}, rank ${level?.rank}; ${level?.next?.unmet}`);
}

// It prints:
// 66: bronze, rank 1; silver needs cost.servers 80, has 75
