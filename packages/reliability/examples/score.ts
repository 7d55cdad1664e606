import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";

const engine = createEngine([reliability]);
const { score, reasons } = engine.score("reliability", "mttr", { minutes: 240 });

console.log(score);
for (const { text } of reasons) console.log(text);
