import { Identifiers } from "../../create-scorecard/src/identifiers.ts";
import {
  type CurveDeclaration,
  type MetricDeclaration,
  outcomeOf,
  partsOf,
  type ScorecardDeclaration,
} from "./index.ts";

interface NamedMetric extends MetricDeclaration {
  /** The constant that holds it. */
  readonly identifier: string;
}

/** The modules of a package with this scorecard: path in its folder → text. */
export function sourceOf(declared: ScorecardDeclaration): Record<"index.js" | "index.test.js", string> {
  const identifiers = new Identifiers();
  const identifier = identifiers.take(declared.name, "Scorecard");
  const metrics = declared.metrics.map((metric) => ({
    ...metric,
    identifier: identifiers.take(metric.name, "Metric"),
  }));
  return {
    "index.js": scorecardModule(declared, identifier, metrics),
    "index.test.js": testModule(identifier, metrics),
  };
}

function scorecardModule(
  { name, title, dimension, weight }: ScorecardDeclaration,
  identifier: string,
  metrics: readonly NamedMetric[],
): string {
  const curves = metrics.flatMap(({ curve }) => [
    ...partsOf(curve).map(functionOf),
    ...(curve.lowest_of ? ["lowestOf"] : []),
  ]);
  const imports = [...new Set(["defineMetric", "defineScorecard", ...curves])].sort();
  const about = { name, title, dimension, weight };
  return `// @ts-check
import { ${imports.join(", ")} } from "@maturity/core";
import packageJson from "./package.json" with { type: "json" };

${metrics.map(metricConstant).join("\n")}
export const ${identifier} = defineScorecard({
${members(about)}  package: packageJson,
  metrics: [${metrics.map((metric) => metric.identifier).join(", ")}],
});
`;
}

function metricConstant({
  identifier,
  name,
  title,
  weight,
  max_age_hours,
  description,
  help,
  inputs,
  curve,
}: NamedMetric): string {
  const about = { name, title, weight, maxAgeHours: max_age_hours, description: description?.trim(), help };
  const fields = Object.entries(inputs ?? {}).map(([field, input]) => `    ${field}: ${literal(input)},\n`);
  return `const ${identifier} = defineMetric({
${members(about)}${fields.length > 0 ? `  inputs: {\n${fields.join("")}  },\n` : ""}  score: ${scoreOf(curve, inputs ?? {})},
});
`;
}

function scoreOf(curve: CurveDeclaration, inputs: NonNullable<MetricDeclaration["inputs"]>): string {
  if (!curve.lowest_of) return plainScore(curve, inputs);
  const parts = curve.lowest_of.map((part) => `    ${plainScore(part, inputs)},\n`);
  return `lowestOf(\n${parts.join("")}  )`;
}

function plainScore(curve: CurveDeclaration, inputs: NonNullable<MetricDeclaration["inputs"]>): string {
  const { piecewise, log_piecewise, halving, pass_fail } = curve;
  const points = piecewise ?? log_piecewise;
  const given = points
    ? [points.field, points.points]
    : pass_fail
      ? [pass_fail.field, outcomeOf(pass_fail, inputs)]
      : [halving];
  return `${functionOf(curve)}(${given.map(literal).join(", ")})`;
}

function functionOf({ piecewise, log_piecewise, pass_fail }: CurveDeclaration): string {
  if (piecewise) return "piecewise";
  if (log_piecewise) return "logPiecewise";
  return pass_fail ? "passFail" : "halving";
}

function testModule(identifier: string, metrics: readonly NamedMetric[]): string {
  const cases = metrics.map(({ name, cases }) => {
    const lines = cases.map(({ raw, score }, index) => `    "case ${index + 1}": ${literal({ raw, score })},\n`);
    return `  ${name}: {\n${lines.join("")}  },\n`;
  });
  return `import { test } from "node:test";
import { checkScorecard } from "@maturity/core/testing";
import { ${identifier} } from "./index.js";

const cases = {
${cases.join("")}};

for (const { name, run } of checkScorecard(${identifier}, cases)) test(name, run);
`;
}

/** Members of an object, one a line; those that are undefined are left out. */
function members(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => `  ${key}: ${literal(value)},\n`).join("");
}

/** A value as JavaScript. The keys of a scorecard file can stand without quotes. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(", ")} }`;
}
