import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";

const engine = createEngine([application]);
const { score, reasons } = engine.score("application", "stress_test", {
  error_rate: 0.02,
  p95_ms: 800,
  checks_pct: 97,
});

console.log(score);
for (const { text } of reasons) console.log(text);
