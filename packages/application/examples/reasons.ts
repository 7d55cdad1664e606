import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";

const engine = createEngine([application]);
const results = [
  ["unit_coverage", { coverage_pct: 72 }],
  ["integration_coverage", { coverage_pct: 72 }],
  ["stress_test", { error_rate: 0.5, p95_ms: 20, checks_pct: 100 }],
  ["health_check", { enabled: true }],
  ["libs_secrets", { enabled: false }],
] as const;

for (const [metric, raw] of results) {
  const { score, reasons } = engine.score("application", metric, raw);
  console.log(`${metric} ${score}`);
  for (const { text } of reasons) console.log(`  ${text}`);
}
