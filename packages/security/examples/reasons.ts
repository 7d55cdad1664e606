import { createEngine } from "@maturity/core";
import { security } from "@maturity/security";

const engine = createEngine([security]);
const results = [
  ["image_scan", { critical: 1, high: 0, medium: 7 }],
  ["image_scan", { critical: 0, high: 0, medium: 0 }],
  ["sast", { critical: 0, high: 1, medium: 5 }],
  ["dast", { high: 1, medium: 0 }],
  ["secret_scan", { found: true }],
  ["secret_scan", { found: false }],
] as const;

for (const [metric, raw] of results) {
  const { score, reasons } = engine.score("security", metric, raw);
  console.log(`${metric} ${score}`);
  for (const { text } of reasons) console.log(`  ${text}`);
}
