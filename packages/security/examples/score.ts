import { createEngine } from "@maturity/core";
import { security } from "@maturity/security";

const engine = createEngine([security]);
const { score, reasons } = engine.score("security", "image_scan", { critical: 0, high: 3, medium: 12 });

console.log(score);
for (const { text } of reasons) console.log(text);
