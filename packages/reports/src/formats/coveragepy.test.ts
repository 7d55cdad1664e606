import { expect, test } from "vitest";
import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { mergeReadings, readReport } from "../index.ts";
import { coveragePy } from "./coveragepy.ts";

const file = (executed: readonly number[], missing: readonly number[]) => ({
  executed_lines: executed,
  summary: { covered_lines: executed.length, num_statements: executed.length + missing.length },
  missing_lines: missing,
  excluded_lines: [],
});
const totals = (covered_lines: unknown, num_statements: unknown) => ({
  covered_lines,
  num_statements,
  percent_covered: 12.5,
  missing_lines: Number(num_statements) - Number(covered_lines),
});
const report = (files: object, sums: unknown, meta: object = {}) => ({
  meta: { version: "7.3.2", timestamp: "2026-01-01T00:00:00", branch_coverage: false, show_contexts: false, ...meta },
  files,
  totals: sums,
});

testFormat(coveragePy, {
  "the lines of the totals": {
    report: report({ "cart.py": file([1, 2], [3]) }, totals(2, 3)),
    reads: { ...covered(2, 3), tool: "coverage.py 7.3.2" },
  },
  "not the percentage, which has branches mixed in": {
    report: report({ "a\\cart.py": file([1, 2], [3, 9]) }, totals(2, 4), { format: 3, branch_coverage: true }),
    reads: covered(2, 4),
  },
  "totals that say something else than the files": {
    report: report({ "cart.py": file([1], []) }, totals(5, 10)),
    reads: covered(5, 10),
  },

  "nothing measured, which coverage.py calls 100 %": {
    report: report({ "__init__.py": file([], []) }, totals(0, 0)),
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "no totals": { report: report({}, undefined), refused: ["unreadable-report", "totals must be an object"] },
  "more covered than there is": {
    report: report({}, totals(2, 1)),
    refused: ["unreadable-report", "has more covered than there is"],
  },
  "a number as text": {
    report: report({}, totals("2", 3)),
    refused: ["unreadable-report", "totals.covered_lines must be a whole number"],
  },
  "a line that is none": {
    report: report({ "cart.py": { executed_lines: ["1"] } }, totals(1, 1)),
    refused: ["unreadable-report", "each of executed_lines must be a whole number"],
  },
  "two reports in one file": {
    report: JSON.stringify(report({}, totals(1, 2))) + JSON.stringify(report({}, totals(2, 2))),
    refused: ["unreadable-report", "has several JSON values"],
  },
});

test("the shards of a test run merge line by line", () => {
  const shards = [
    report({ "cart.py": file([1], [2, 3]) }, totals(1, 3)),
    report({ "cart.py": file([1, 2], [3]) }, totals(2, 3)),
  ];
  const merged = mergeReadings(shards.map((shard) => readReport(JSON.stringify(shard), { metric: "unit_coverage" })));
  const notes = [
    "meta.timestamp names no time zone that is known, so it is taken for UTC (in each of 2 reports)",
    "files of the same name and the same lines in several reports count once: 1",
  ];
  expect(merged).toMatchObject({ ...covered(2, 3), notes, measuredAt: "2026-01-01T00:00:00.000Z" });
});
