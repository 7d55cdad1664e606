import { describe, expect, test } from "vitest";
import { oneOfEach } from "../test/support/one-of-each.ts";
import { pathsOf, withMember } from "../test/support/swapped.ts";
import { formats, readReport } from "./index.ts";
import { noFindings, severityOf, totalOf } from "./severities.ts";

/** A severity means the same in capitals and in small letters, and with white space around it. */

test.each(["CRITICAL ", " critical", "\tCritical\r\n", "critical\u00A0", "\uFEFFcritical"])("%j", (word) => {
  expect(severityOf(word)).toBe("critical");
  expect(severityOf(word.replace(/critical/i, "Moderate"), { moderate: "medium" })).toBe("medium");
});

const words = /^(critical|high|medium|moderate|low|warning|error|major|blocker|minor)$/i;
const variants = [
  (word: string) => `${word} `,
  (word: string) => `\n ${word}\t`,
  (word: string) => word.toUpperCase(),
  (word: string) => word.toLowerCase(),
];

/** Formats without words for severities. */
const wordless = [
  ...["detect-secrets", "gitleaks", "trufflehog"],
  ...["govulncheck", "osv-scanner", "pip-audit", "safety"],
  ...["spotbugs", "zap-json", "zap-xml"],
];

/** The texts of a report in which a severity is written in another way. */
function variantsOf(report: unknown): string[] {
  if (typeof report === "string") {
    const tag = /(<(?:severity|confidence)>)(\w+)</;
    const written = tag.test(report)
      ? variants.map((write) => report.replace(tag, (_, open, word) => `${open}${write(word)}<`))
      : [];
    return [
      ...written,
      ...report
        .split("\n")
        .filter(Boolean)
        .flatMap((line) => (line.startsWith("{") ? variantsOf(JSON.parse(line)) : [])),
    ];
  }
  return pathsOf(report).flatMap((path) => {
    const value = path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>>)[key], report);
    if (typeof value !== "string" || !words.test(value)) return [];
    return variants.map((write) => JSON.stringify(withMember(report, path, write(value))));
  });
}

const countsOf = (report: string, format: string) => {
  const { severities } = readReport(report, { format });
  return severities;
};

describe.each(formats.filter(({ metrics }) => metrics.some((metric) => /scan|sast|dast/.test(metric))))(
  "$name",
  ({ name }) => {
    const found = Object.values(oneOfEach[name] ?? {}).flatMap((report) => {
      const text = typeof report === "string" ? report : JSON.stringify(report);
      return variantsOf(report).map((variant) => ({ variant, text }));
    });
    const counting = found.filter(({ text }) => totalOf(readOrNothing(text, name)) > 0);

    test("there are severities to write in other ways, if it has words for them", () => {
      expect(counting.length > 0).toBe(!wordless.includes(name));
    });

    test("they count as before", () => {
      for (const { variant, text } of counting) expect(countsOf(variant, name), variant).toEqual(countsOf(text, name));
    });
  },
);

function readOrNothing(text: string, format: string) {
  try {
    return countsOf(text, format) ?? noFindings();
  } catch {
    return noFindings();
  }
}
