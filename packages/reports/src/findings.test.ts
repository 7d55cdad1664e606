import { describe, expect, test } from "vitest";
import { Findings, problemOf, type RawFinding } from "./findings.ts";

function listOf(...added: RawFinding[]) {
  const findings = new Findings();
  for (const finding of added) findings.add(finding);
  return findings.list;
}

describe("one finding", () => {
  test.each<[string, RawFinding, object]>([
    ["whole", { file: "a.ts", line: 3, description: "x" }, { file: "a.ts", line: 3, description: "x" }],
    ["a line of 0", { file: "a.ts", line: 0 }, { file: "a.ts", line: 0 }],
    ["without a file", { file: undefined, description: "x" }, { file: "(no file)", description: "x" }],
    ["a file of another type", { file: ["a.ts"] }, { file: "(no file)" }],
    ["a line below 0", { file: "a.ts", line: -1 }, { file: "a.ts" }],
    ["a line with a fraction", { file: "a.ts", line: 1.5 }, { file: "a.ts" }],
    ["a line too large", { file: "a.ts", line: 2_147_483_648 }, { file: "a.ts" }],
    ["a line as text", { file: "a.ts", line: "3" }, { file: "a.ts" }],
    ["an empty description", { file: "a.ts", description: " \n" }, { file: "a.ts" }],
    [
      "control characters, line breaks and lone surrogates",
      { file: "a\0b\u001b[31m\ud800", description: "x\r\n\ty\u2028z\u0085" },
      { file: "a b [31m\uFFFD", description: "x y z" },
    ],
    ["a long file", { file: "a".repeat(5_000) }, { file: `${"a".repeat(4_095)}…` }],
    [
      "a long description, cut in a character",
      { file: "a", description: `${"x".repeat(3_998)}😀😀` },
      { file: "a", description: `${"x".repeat(3_998)}\uFFFD…` },
    ],
  ])("%s", (_name, finding, detail) => {
    expect(listOf(finding).details).toEqual([detail]);
  });
});

test("all are counted, the first 1,000 are listed", () => {
  const findings = new Findings();
  for (let line = 1; line <= 1_500; line++) findings.add({ file: "a.ts", line });
  expect(findings.list.count).toBe(1_500);
  expect(findings.list.details).toHaveLength(1_000);
  expect(findings.list.details.at(-1)).toEqual({ file: "a.ts", line: 1_000 });
});

test("no more are listed than fit into a request", () => {
  const findings = new Findings();
  for (let line = 1; line <= 1_000; line++) findings.add({ file: "ä".repeat(4_000), description: '"'.repeat(4_000) });
  expect(findings.list.count).toBe(1_000);
  expect(Buffer.byteLength(JSON.stringify(findings.list.details))).toBeLessThan(1_000_000);
  expect(findings.list.details.length).toBeGreaterThan(50);
});

test("the gravest severity is named, if there is one", () => {
  const found = listOf(
    { file: "a", severity: "low" },
    { file: "b", severity: "high" },
    { file: "c", severity: "info" },
  );
  expect(found.severities).toEqual({ critical: 0, high: 1, medium: 0, low: 1, info: 1, unknown: 0 });
  expect(problemOf(found)).toMatchObject({ severity: "high" });
  const unknown = listOf({ file: "a", severity: "unknown" }, { file: "b" });
  expect(unknown.severities).toMatchObject({ unknown: 2 });
  expect(problemOf(unknown)).not.toHaveProperty("severity");
});

test("problems are put together, with the limits of one", () => {
  const findings = new Findings();
  const part = listOf(...Array.from({ length: 700 }, (_, line) => ({ file: "a", line, severity: "low" as const })));
  findings.addAll(part);
  findings.addAll(listOf({ file: "b", severity: "medium" }));
  findings.addAll({ ...part, count: 5_000 });
  expect(problemOf(findings.list)).toMatchObject({ count: 5_701, severity: "medium" });
  expect(findings.list.details).toHaveLength(1_000);
});

test.each([
  ["many", "x", 1_000],
  ["long", "x".repeat(4_000), 300],
])("of %s findings only those that are kept are described", (_kind, description, most) => {
  const findings = new Findings();
  let described = 0;
  for (let n = 0; n < 5_000; n++) {
    findings.add({
      file: "a",
      description: () => {
        described++;
        return description;
      },
    });
  }
  expect(findings.list.count).toBe(5_000);
  expect(described).toBeLessThanOrEqual(most);
});
