import { describe, expect, test } from "vitest";
import { formatOf } from "./detect.ts";
import { Document } from "./document.ts";
import type { Format } from "./format.ts";
import type { ReadOptions, ReportErrorCode } from "./index.ts";

/** A format of the texts that begin with its name. */
const format = (name: string, about: Partial<Format>): Format => ({
  name,
  title: name.toUpperCase(),
  words: [name],
  time: "none",
  metrics: [],
  ...about,
  looksLike: ({ text }) => text.startsWith(name),
  read: () => ({}),
});

const formats = [
  format("lint", { metrics: ["sast"], problems: ["findings"] }),
  format("leaks", { metrics: ["secret_scan"], problems: ["secrets"], empty: { "[]": "metric" } }),
  format("audit", { metrics: ["sast", "image_scan"], empty: { "[]": "format", null: "metric" } }),
  format("lines", { metrics: ["unit_coverage"] }),
];

const find = (text: string, options: ReadOptions = {}) => formatOf(new Document(text), { formats, ...options }).name;

test.each<[string, string, ReadOptions, string]>([
  ["the first that it looks like", "leaks of lint", {}, "leaks"],
  ["the one that is named", "audit", { format: "audit" }, "audit"],
  ["one that feeds the metric", "audit", { metric: "image_scan" }, "audit"],
  ["one that lists findings", "lint", { for: "problem" }, "lint"],
  ["one that lists findings of the kind", "leaks", { for: "problem", kind: "secrets" }, "leaks"],
  ["one that feeds the metric, whatever kind is given beside it", "lint", { metric: "sast", kind: "secrets" }, "lint"],
  ["of an empty form, the one that is named", "[]", { format: "audit" }, "audit"],
  ["of an empty form, the only one that means it for the metric", "[]", { metric: "secret_scan" }, "leaks"],
  ["of an empty form, the only one that means it for the kind", "[]", { for: "problem", kind: "secrets" }, "leaks"],
  ["of null, the one that means it for the metric", "null", { metric: "sast" }, "audit"],
])("the format is %s", (_, text, options, name) => {
  expect(find(text, options)).toBe(name);
});

describe("there is none", () => {
  const silent = "which does not say whether anything was scanned";
  const nameIt = "if this is how your tool says that it found nothing, name the format";
  const advice = "this looks like text; have the tool write its report in a format that is read";
  test.each<[string, string, ReadOptions, ReportErrorCode, string]>([
    [
      "of the name",
      "lint",
      { format: "lnit" },
      "unknown-format",
      'there is no format "lnit"; the nearest are lint, audit, lines',
    ],
    ["that is named", "leaks", { format: "lint" }, "unreadable-report", "this is no LINT: it looks like LEAKS"],
    [
      "at all, and one is named",
      "hello",
      { format: "lint" },
      "unreadable-report",
      "this is no LINT: it looks like text",
    ],
    ["for the metric", "lint", { metric: "dast" }, "wrong-metric", "this LINT report is about sast, not dast"],
    ["with findings", "lines", { for: "problem" }, "wrong-metric", "LINES lists no findings with their files"],
    [
      "with findings of the kind",
      "lint",
      { for: "problem", kind: "secrets" },
      "wrong-metric",
      "LINT lists no secrets with their files, only findings",
    ],
    ["near it", "hello", {}, "unknown-format", `${advice}; it is near none of the formats`],
    ["but two near it", "of lines and lint", {}, "unknown-format", `${advice}; the nearest formats are lint, lines`],
    [
      "of what is asked for",
      "hello",
      { metric: "sast" },
      "unknown-format",
      `${advice}; formats of sast are lint, audit`,
    ],
    ["of a problem", "hello", { for: "problem" }, "unknown-format", `${advice}; formats of a problem are lint, leaks`],
    [
      "of a problem of a kind",
      "hello",
      { for: "problem", kind: "secrets" },
      "unknown-format",
      `${advice}; formats of a problem of secrets are leaks`,
    ],
    [
      "of XML",
      "<lint/>",
      {},
      "unknown-format",
      "this looks like XML with the root element <lint>; the nearest formats are lint",
    ],
    [
      "of a known kind",
      "<testsuites/>",
      {},
      "unknown-format",
      "this looks like a JUnit test report (no metric takes test results; send their coverage)",
    ],
    [
      "of a known kind for the metric",
      "<testsuites/>",
      { metric: "dast" },
      "unknown-format",
      "this looks like a JUnit test report (no metric takes test results; send their coverage); formats of dast are",
    ],
  ])("%s", (_, text, options, code, message) => {
    expect(() => find(text, options)).toThrow(expect.objectContaining({ code, message }));
  });

  test.each<[string, string, ReadOptions, string, string[]]>([
    [
      "that ever writes it",
      "null",
      { format: "lint" },
      "null; LINT writes something else, even with nothing found",
      [],
    ],
    ["without a word of the caller", "[]", {}, `[], ${silent}; ${nameIt}: leaks, audit`, ["leaks", "audit"]],
    ["for a problem of any kind", "[]", { for: "problem" }, `[], ${silent}; ${nameIt}: leaks`, ["leaks"]],
    ["that says so by the metric", "[]", { metric: "sast" }, `[], ${silent}; ${nameIt}: audit`, ["audit"]],
    [
      "of the metric that writes it",
      "[]",
      { metric: "unit_coverage" },
      `[], ${silent}; look why the tool wrote nothing else`,
      [],
    ],
    ["of nothing", "", {}, `empty, ${silent}; look why the tool wrote nothing else`, []],
    ["for a kind that is not asked for", "null", { for: "problem", kind: "secrets", metric: "sast" }, "null, ", []],
  ])("of an empty form: %s", (_, text, options, message, named) => {
    expect(() => find(text, options)).toThrow(
      expect.objectContaining({
        code: "empty-report",
        message: expect.stringContaining(`the report is ${message}`),
        waysOut: named.map((name) => ({ format: name })),
      }),
    );
  });
});

test("without formats to choose from it is one of this package", () => {
  expect(formatOf(new Document('{"SchemaVersion":2,"Results":[]}'), {}).name).toBe("trivy");
});
