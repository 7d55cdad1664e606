import { createEngine, findReach } from "@maturity/core";
import { cost } from "./cost.ts";

const engine = createEngine([cost]);

const { alone, together, best } = findReach(engine, "cost", "servers", { idle: 2, oversized: 5 }, 80);
for (const { field, from, to } of alone.length > 0 ? alone : together) console.log(`${field}: ${from} → ${to}`);
console.log(`at best ${best}`);

// It prints:
// idle: 2 → 0
// oversized: 5 → 3
// at best 100
