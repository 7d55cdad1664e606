import { createEngine, rollUp, type Scorecard } from "@maturity/core";
import { security } from "@maturity/security";

// This team has nothing to run dast against, and its images count double.
const weights: Record<string, number> = { image_scan: 50 };
const ours: Scorecard = {
  ...security,
  package: { name: "@acme/security", version: "1.0.0" },
  metrics: security.metrics
    .filter(({ name }) => name !== "dast")
    .map((metric) => ({ ...metric, weight: weights[metric.name] ?? metric.weight })),
};

const engine = createEngine([ours]);
const target = { area: "shop", team: "checkout", app: "cart", env: "production" };
const results = {
  image_scan: { critical: 0, high: 3, medium: 12 },
  secret_scan: { found: false },
  sast: { critical: 0, high: 0, medium: 5 },
};
const now = new Date();
const scores = Object.entries(results).map(([metric, raw]) => {
  const { score, scorer } = engine.score("security", metric, raw);
  console.log(metric, score, scorer);
  return { ...target, scorecard: "security", metric, score, reported_at: now };
});

for (const [whose, scorecard] of Object.entries({ shipped: security, ours })) {
  for (const { score, reported } of rollUp([scorecard], scores, now).apps) {
    console.log(`${whose}: ${score.toFixed(2)}, from ${Math.round(reported * 100)} % of the weight`);
  }
}
