import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";

const engine = createEngine([reliability]);
const results = [
  ["sla", { availability_pct: 99.7 }],
  ["sla", { availability_pct: 99.95 }],
  ["change_failure_rate", { rate_pct: 8 }],
  ["mttr", { minutes: 1440 }],
  ["mttd", { minutes: 5000 }],
] as const;

for (const [metric, raw] of results) {
  const { score, reasons } = engine.score("reliability", metric, raw);
  console.log(`${metric} ${score}`);
  for (const { text } of reasons) console.log(`  ${text}`);
}
