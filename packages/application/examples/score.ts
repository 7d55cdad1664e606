import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";

const engine = createEngine([application]);
const { score, reasons } = engine.score("application", "unit_coverage", { coverage_pct: 65 });

console.log(score);
for (const { text } of reasons) console.log(text);
