import type { AskedMetric, Words } from "../answers.ts";

/** A metric with the constant that holds it. */
export interface NamedMetric extends AskedMetric {
  readonly identifier: string;
}

/** What is written where no metric is asked for: one of either kind, to be replaced by one's own. */
export const examples: readonly AskedMetric[] = [
  {
    kind: "value",
    name: "budget",
    fields: ["spent_pct"],
    words: {
      title: "Spending against the budget",
      subject: "spending",
      unit: "% of the budget",
      weight: 60,
      cases: ["nothing spent", "all of it", "a tenth too much", "a fifth too much", "half too much"],
    },
  },
  {
    kind: "count",
    name: "idle_resources",
    fields: ["idle"],
    words: { title: "Resources nobody uses", subject: ["resource", "resources"], weight: 40, cases: ["none", "four"] },
  },
];

function wordsOf({ kind, name, words }: AskedMetric): Words {
  if (words) return words;
  const subject = inWords(name);
  const title = subject.charAt(0).toUpperCase() + subject.slice(1);
  return kind === "value"
    ? { title, subject, weight: 50, cases: ["nothing", "at 100", "at 110", "at 120", "at 150"] }
    : { title, subject: ["finding", "findings"], weight: 50, cases: ["none", "four"] };
}

/** The constant that holds a metric. */
export function metricConstant(metric: NamedMetric): string {
  return metric.kind === "value" ? valueMetric(metric) : countMetric(metric);
}

/** The curves that a metric is made of. */
export function curvesOf({ kind, fields }: NamedMetric): readonly string[] {
  if (kind === "count") return ["halving"];
  return fields.length === 1 ? ["piecewise"] : ["lowestOf", "piecewise"];
}

/** Members of an object, one for each field: in a line, or each in its own where there are several. */
function members(lines: readonly string[]): string {
  const [only, ...more] = lines;
  if (more.length === 0) return `{ ${only} }`;
  return `{\n${[only, ...more].map((line) => `    ${line},\n`).join("")}  }`;
}

function inWords(name: string): string {
  return name.replaceAll(/_+/g, " ").trim();
}

function valueMetric(metric: NamedMetric): string {
  const { identifier, name, fields } = metric;
  const { title, subject, unit, weight } = wordsOf(metric);
  const isOne = fields.length === 1;
  const inputs = fields.map((field) => {
    const label = isOne ? String(subject) : inWords(field);
    const written = unit ?? (field.endsWith("_pct") ? "%" : undefined);
    return `${field}: { label: "${label}", ${written ? `unit: "${written}", ` : ""}min: 0, max: 10_000 }`;
  });
  const curves = fields.map((field) => `    piecewise("${field}", [\n${points("      ")}    ]),\n`);
  const score = isOne ? `piecewise([\n${points("    ")}  ])` : `lowestOf(\n${curves.join("")}  )`;
  return `const ${identifier} = defineMetric({
  name: "${name}",
  title: "${title}",
  weight: ${weight},
  maxAgeHours: 30 * 24,
  inputs: ${members(inputs)},
  // Each point is an input and its score. Between two points the score is on a straight line.
  score: ${score},
});
`;
}

function points(indent: string): string {
  return ["[100, 100]", "[110, 80]", "[150, 0]"].map((point) => `${indent}${point},\n`).join("");
}

function countMetric(metric: NamedMetric): string {
  const { identifier, name, fields } = metric;
  const { title, weight } = wordsOf(metric);
  const inputs = fields.map((field) => {
    const unit = countedWords(metric, field).map((word) => `"${word}"`);
    return `${field}: { unit: [${unit.join(", ")}], max: 1_000_000 }`;
  });
  return `const ${identifier} = defineMetric({
  name: "${name}",
  title: "${title}",
  weight: ${weight},
  inputs: ${members(inputs)},
  // So many of them halve the score.
  score: halving({ ${fields.map((field) => `${field}: 4`).join(", ")} }),
});
`;
}

/** The singular and the plural of what a field counts. */
function countedWords(metric: NamedMetric, field: string): readonly string[] {
  const counted = inWords(field === "count" ? metric.name : field);
  if (!metric.words && /[^su]s$/.test(counted)) {
    return [counted.replace(/ies$|s$/, (end) => (end === "s" ? "" : "y")), counted];
  }
  return [wordsOf(metric).subject].flat().map((word) => `${counted} ${word}`);
}

/** The cases of a metric, as a member of the object of all. Of several inputs the first one has the value of a case. */
export function metricCases(metric: NamedMetric): string {
  const { kind, name, fields } = metric;
  const { cases } = wordsOf(metric);
  const [first, ...others] = fields;
  const raw = (input: string | number) =>
    `{ ${[`${first}: ${input}`, ...others.map((field) => `${field}: 0`)].join(", ")} }`;
  const [wrong, scores, good] =
    kind === "value"
      ? (["notANumber", Object.entries({ 0: 100, 100: 100, 110: 80, 120: 60, 150: 0 }), 80] as const)
      : (["notACount", Object.entries({ 0: 100, 4: 50 }), 0] as const);
  const lines = scores.map(([input, score], index) => {
    const title = cases[index] ?? input;
    const key = /^[a-z]+$/.test(title) ? title : `"${title}"`;
    const reasons = kind === "count" && input !== "0" ? `, reasons: ["${first}"]` : "";
    return `    ${key}: { raw: ${raw(input)}, score: ${score}${reasons} },`;
  });
  const refused = fields.map((field) => `    ...refused(${raw(good)}, "${field}", ${wrong}),`);
  return `  ${name}: {
${[...lines, ...refused].join("\n")}
  },
`;
}
