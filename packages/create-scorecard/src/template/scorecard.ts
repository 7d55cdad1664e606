import type { Answers } from "../answers.ts";
import { curvesOf, metricCases, metricConstant, type NamedMetric } from "./metrics.ts";

/** The file of the scorecard with its metrics. */
export function scorecardFile(answers: Answers, identifier: string, metrics: readonly NamedMetric[]): string {
  const imports = new Set(["defineMetric", "defineScorecard", ...metrics.flatMap(curvesOf)]);
  return `// @ts-check
import { ${[...imports].sort().join(", ")} } from "@maturity/core";
import packageJson from "./package.json" with { type: "json" };

${metrics.map(metricConstant).join("\n")}
export const ${identifier} = defineScorecard({
  name: "${answers.scorecard}",
  dimension: "${answers.dimension}",
  weight: ${answers.weight},
  package: packageJson,
  metrics: [${metrics.map((metric) => metric.identifier).join(", ")}],
});
`;
}

/** Its test. */
export function testFile(identifier: string, metrics: readonly NamedMetric[]): string {
  const has = (kind: NamedMetric["kind"]) => metrics.some((metric) => metric.kind === kind);
  const wrong = [...(has("count") ? ["notACount"] : []), ...(has("value") ? ["notANumber"] : [])];
  return `import { test } from "node:test";
import { checkScorecard, ${wrong.join(", ")}, refused } from "@maturity/core/testing";
import { ${identifier} } from "./index.js";

const cases = {
${metrics.map(metricCases).join("")}};

for (const { name, run } of checkScorecard(${identifier}, cases)) test(name, run);
`;
}
