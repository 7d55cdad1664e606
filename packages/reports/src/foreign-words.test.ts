import { describe, expect, test } from "vitest";
import { recipes } from "../../cli/test/support/recipe-reports.ts";
import { ReportError } from "./errors.ts";
import { readReport } from "./read-report.ts";
import { noFindings, severities } from "./severities.ts";

/** Names that every object has, and that a careless look-up finds. */
const words = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

/** A report in which one text, or one key, is another word: each of them in turn. */
function* changed(text: string, word: string): Generator<string> {
  const isXml = /^\s*</.test(text);
  const places = isXml ? /(?<=>)[^<>]+(?=<)|(?<==")[^"]*(?=")/g : /"(?:[^"\\]|\\.)*"/g;
  for (const { index, 0: found } of text.matchAll(places)) {
    yield text.slice(0, index) + (isXml ? word : JSON.stringify(word)) + text.slice(index + found.length);
  }
}

describe.each(words)("%s, wherever a report has a word", (word) => {
  test.each(Object.entries(recipes))("%s", (_, { report }) => {
    const text = typeof report === "string" ? report : JSON.stringify(report);
    const before = sumOf(severitiesOf(text));
    for (const hostile of changed(text, word)) {
      const counts = severitiesOf(hostile);
      if (!counts) continue;
      expect(Object.keys(counts)).toEqual(Object.keys(noFindings()));
      expect(Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
      expect(sumOf(counts)).toBeLessThanOrEqual(before);
    }
  });
});

test.each(words)("a finding of the severity %s is one of unknown severity", (word) => {
  const found = (report: object | string) =>
    severitiesOf(typeof report === "string" ? report : JSON.stringify(report)) ?? {};
  const unknown = { ...noFindings(), unknown: 1 };
  const site = { "@name": "x", alerts: [{ riskcode: word, confidence: "2" }] };
  expect(found({ "@programName": "ZAP", "@version": "2.16", site: [site] })).toEqual(unknown);
  expect(
    found(
      `<OWASPZAPReport><site><alerts><alertitem><riskcode>${word}</riskcode></alertitem></alerts></site></OWASPZAPReport>`,
    ),
  ).toEqual(unknown);
  expect(found({ SchemaVersion: 2, Results: [{ Vulnerabilities: [{ Severity: word }] }], ArtifactName: "x" })).toEqual(
    unknown,
  );
  const sarif = { runs: [{ tool: { driver: { name: "x" } }, results: [{ message: { text: "x" }, level: word }] }] };
  expect(found({ version: "2.1.0", ...sarif })).toEqual(unknown);
});

test("an XML of no known report is recognized by its root, whatever it is called", () => {
  for (const word of words) {
    expect(() => readReport(`<${word}/>`)).toThrow(`XML with the root element <${word}>`);
  }
});

function severitiesOf(text: string) {
  try {
    return readReport(text).severities;
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

function sumOf(counts: object = {}): number {
  return severities.reduce((sum, severity) => sum + ((counts as Record<string, number>)[severity] ?? 0), 0);
}
