import { createEngine, rollUp, type Scorecard } from "@maturity/core";
import { reliability } from "@maturity/reliability";

// This team does not measure its time to detect, and availability counts double.
const weights: Record<string, number> = { sla: 40 };
const ours: Scorecard = {
  ...reliability,
  package: { name: "@acme/reliability", version: "1.0.0" },
  metrics: reliability.metrics
    .filter(({ name }) => name !== "mttd")
    .map((metric) => ({ ...metric, weight: weights[metric.name] ?? metric.weight })),
};

const engine = createEngine([ours]);
const target = { area: "shop", team: "checkout", app: "cart", env: "production" };
const results = {
  sla: { availability_pct: 99.7 },
  change_failure_rate: { rate_pct: 8 },
  mttr: { minutes: 240 },
};
const now = new Date();
const scores = Object.entries(results).map(([metric, raw]) => {
  const { score, scorer } = engine.score("reliability", metric, raw);
  console.log(metric, score, scorer);
  return { ...target, scorecard: "reliability", metric, score, reported_at: now };
});

for (const [whose, scorecard] of Object.entries({ shipped: reliability, ours })) {
  for (const { score, reported } of rollUp([scorecard], scores, now).apps) {
    console.log(`${whose}: ${score.toFixed(2)}, from ${Math.round(reported * 100)} % of the weight`);
  }
}
