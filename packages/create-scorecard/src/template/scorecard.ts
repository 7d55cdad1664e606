import type { Answers } from "../answers.ts";
import { fileOf } from "../identifiers.ts";
import { metricCases, type NamedMetric } from "./metrics.ts";

/** The file of the scorecard. */
export function scorecardFile(answers: Answers, identifier: string, metrics: readonly NamedMetric[]): string {
  const imports = metrics.map((metric) => `import { ${metric.identifier} } from "./${fileOf(metric.identifier)}";\n`);
  return `import { defineScorecard } from "@maturity/core";
${imports.sort().join("")}import packageJson from "./package.json" with { type: "json" };

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

/** The program behind \`npm run preview\`. */
export function previewFile(identifier: string): string {
  return `import { open } from "node:fs/promises";
import { preview } from "@maturity/core/preview";
import { ${identifier} } from "./index.js";

const [path, ...raws] = process.argv.slice(2);
try {
  if (!path) throw new Error("npm run preview FILE: an export of the service, or a body of POST /score on each line");
  const file = await open(path);
  console.log(await preview(${identifier}, file.readLines(), raws));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`;
}
