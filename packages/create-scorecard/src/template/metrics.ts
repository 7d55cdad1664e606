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
    field: "spent_pct",
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
    field: "idle",
    words: { title: "Resources nobody uses", subject: ["resource", "resources"], weight: 40, cases: ["none", "four"] },
  },
];

function wordsOf({ kind, name, words }: AskedMetric): Words {
  if (words) return words;
  const subject = name.replaceAll(/_+/g, " ").trim();
  const title = subject.charAt(0).toUpperCase() + subject.slice(1);
  return kind === "value"
    ? { title, subject, weight: 50, cases: ["nothing", "at 100", "at 110", "at 120", "at 150"] }
    : { title, subject: ["finding", "findings"], weight: 50, cases: ["none", "four"] };
}

/** The file of a metric. */
export function metricFile(metric: NamedMetric): string {
  return metric.kind === "value" ? valueFile(metric) : countFile(metric);
}

function valueFile(metric: NamedMetric): string {
  const { identifier, name, field } = metric;
  const { title, subject, unit, weight } = wordsOf(metric);
  return `import { defineMetric, piecewise } from "@maturity/core";
import Joi from "joi";

export const ${identifier} = defineMetric({
  name: "${name}",
  title: "${title}",
  weight: ${weight},
  maxAgeHours: 30 * 24,
  raw: Joi.object({ ${field}: Joi.number().min(0).max(10_000).required() })
    .unknown()
    .prefs({ abortEarly: false, convert: false, errors: { label: false } }),
  score: piecewise(
    "${field}",
    [
      [100, 100],
      [110, 80],
      [150, 0],
    ],
    { label: "${subject}"${unit ? `, unit: "${unit}"` : ""} },
  ),
  better: { ${field}: "lower" },
});
`;
}

function countFile(metric: NamedMetric): string {
  const { identifier, name, field } = metric;
  const { title, subject, weight } = wordsOf(metric);
  const noun = [subject].flat().map((word) => `"${word}"`);
  return `import { defineMetric, halving } from "@maturity/core";
import { z } from "zod";

export const ${identifier} = defineMetric({
  name: "${name}",
  title: "${title}",
  weight: ${weight},
  raw: z.looseObject({ ${field}: z.int().min(0).max(1_000_000) }),
  score: halving({ ${field}: 4 }, { noun: [${noun.join(", ")}] }),
  better: { ${field}: "lower" },
});
`;
}

/** The cases of a metric, as a member of the object of all. */
export function metricCases(metric: NamedMetric): string {
  const { kind, name, field } = metric;
  const { cases } = wordsOf(metric);
  const [wrong, scores, good] =
    kind === "value"
      ? (["notANumber", Object.entries({ 0: 100, 100: 100, 110: 80, 120: 60, 150: 0 }), 80] as const)
      : (["notACount", Object.entries({ 0: 100, 4: 50 }), 0] as const);
  const lines = scores.map(([input, score], index) => {
    const title = cases[index] ?? input;
    const key = /^[a-z]+$/.test(title) ? title : `"${title}"`;
    const reasons = kind === "count" && input !== "0" ? `, reasons: ["${field}"]` : "";
    return `    ${key}: { raw: { ${field}: ${input} }, score: ${score}${reasons} },`;
  });
  return `  ${name}: {
${lines.join("\n")}
    ...refused({ ${field}: ${good} }, "${field}", ${wrong}),
  },
`;
}
