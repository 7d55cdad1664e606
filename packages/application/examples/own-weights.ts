import { application } from "@maturity/application";
import { createEngine, rollUp, type Scorecard } from "@maturity/core";

// This team keeps no database, and its integration tests count double.
const weights: Record<string, number> = { integration_coverage: 30 };
const ours: Scorecard = {
  ...application,
  package: { name: "@acme/application", version: "1.0.0" },
  metrics: application.metrics
    .filter(({ name }) => name !== "unique_db_user")
    .map((metric) => ({ ...metric, weight: weights[metric.name] ?? metric.weight })),
};

const engine = createEngine([ours]);
const target = { area: "shop", team: "checkout", app: "cart", env: "production" };
const results = {
  libs_secrets: { enabled: true },
  libs_observability: { enabled: true },
  health_check: { enabled: true },
  unit_coverage: { coverage_pct: 72 },
  integration_coverage: { coverage_pct: 15 },
  stress_test: { error_rate: 0.02, p95_ms: 800, checks_pct: 97 },
};
const now = new Date();
const scores = Object.entries(results).map(([metric, raw]) => {
  const { score, scorer } = engine.score("application", metric, raw);
  console.log(metric, score, scorer);
  return { ...target, scorecard: "application", metric, score, reported_at: now };
});

for (const [whose, scorecard] of Object.entries({ shipped: application, ours })) {
  for (const { score, reported } of rollUp([scorecard], scores, now).apps) {
    console.log(`${whose}: ${score.toFixed(2)}, from ${Math.round(reported * 100)} % of the weight`);
  }
}
