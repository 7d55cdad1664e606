import { createEngine, MaturityError } from "@maturity/core";
import { cost } from "./cost.ts";

const engine = createEngine([cost]);

const { score, reasons, scorer } = engine.score("cost", "servers", { idle: 2, oversized: 5 });
console.log(`${score}, says ${scorer}`);
for (const { text } of reasons) console.log(`- ${text}`);

try {
  engine.score("cost", "servers", JSON.parse('{ "idle": "2" }'));
} catch (error) {
  if (!(error instanceof MaturityError)) throw error;
  console.log(error.code);
  for (const { path, message } of error.details) console.log(`- ${path}: ${message}`);
}
