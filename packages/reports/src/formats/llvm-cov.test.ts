import { expect, test } from "vitest";
import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { mergeReadings, readReport } from "../index.ts";
import { llvmCov } from "./llvm-cov.ts";

/** A summary, in which only the lines count. */
const summary = (count: unknown, hit: unknown) => ({
  lines: { count, covered: hit, percent: 0 },
  functions: { count: 9, covered: 9, percent: 100 },
  regions: { count: 9, covered: 9, notcovered: 0, percent: 100 },
});
const file = (filename: string, count: unknown, hit: unknown) => ({
  branches: [],
  expansions: [],
  filename,
  mcdc_records: [],
  segments: [[1, 12, 4, true, true, false]],
  summary: summary(count, hit),
});
const report = (data: unknown, others: object = {}) => ({
  data,
  type: "llvm.coverage.json.export",
  version: "3.0.1",
  ...others,
});
const cart = file("/shop/cart.cc", 10, 4);
const price = file("/shop/price.cc", 6, 6);

testFormat(llvmCov, {
  "the lines of the totals": {
    report: report([{ files: [cart, price], functions: [{ name: "main", count: 1 }], totals: summary(16, 10) }]),
    reads: { ...covered(10, 16), tool: "llvm-cov", coverage: { unit: "lines" } },
  },
  "a summary only": {
    report: report([{ files: [{ filename: "/shop/cart.rs", summary: summary(3, 2) }], totals: summary(3, 2) }]),
    reads: covered(2, 3),
  },
  "of cargo, which adds its version": {
    report: report([{ files: [cart], totals: summary(10, 4) }], {
      cargo_llvm_cov: { manifest_path: "/shop/Cargo.toml", version: "0.6.16" },
    }),
    reads: { ...covered(4, 10), tool: "cargo-llvm-cov 0.6.16" },
  },
  "several exports in one": {
    report: report([
      { files: [cart], totals: summary(10, 4) },
      { files: [price], totals: summary(6, 6) },
    ]),
    reads: covered(10, 16),
  },
  "no totals": { report: report([{ files: [cart, price] }]), reads: covered(10, 16) },
  "no type, as at the beginning of a large file": {
    report: { data: [{ files: [cart], totals: summary(10, 4) }] },
    reads: covered(4, 10),
  },

  "no files": {
    report: report([{ files: [], totals: summary(0, 0) }]),
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "no exports": {
    report: report([]),
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "data that is no list": { report: report({}), refused: ["unreadable-report", "data must be a list"] },
  "totals without lines": {
    report: report([{ files: [cart], totals: { regions: { count: 1, covered: 1 } } }]),
    refused: ["unreadable-report", "data[0].totals.lines must be an object"],
  },
  "a number as text": {
    report: report([{ files: [file("a.cc", "10", 4)] }]),
    refused: ["unreadable-report", "data[0].files[0].summary.lines.count must be a whole number, not below 0"],
  },
  "totals of other files": {
    report: report([{ files: [cart], totals: summary(16, 10) }]),
    refused: ["unreadable-report", "data[0].totals.lines is not the sum of its files"],
  },
  "a file in two exports": {
    report: report([
      { files: [cart], totals: summary(10, 4) },
      { files: [cart], totals: summary(10, 4) },
    ]),
    refused: [
      "unreadable-report",
      "data[1].files[0] is a file that is there before: merge the profiles, and export once",
    ],
  },
  "more covered than there is": {
    report: report([{ files: [file("a.cc", 4, 10)] }]),
    refused: ["unreadable-report", "has more covered than there is"],
  },
  "cut off after its first file": {
    report: JSON.stringify(report([{ files: [cart, price], totals: summary(16, 10) }])).slice(0, 300),
    refused: ["unreadable-report", "is cut off"],
  },
});

test("reports of several runs are added up, because they do not say which lines are covered", () => {
  const readings = [cart, price].map((one) =>
    readReport(JSON.stringify(report([{ files: [one] }])), { metric: "integration_coverage" }),
  );
  expect(mergeReadings(readings)).toMatchObject({
    ...covered(10, 16),
    notes: [expect.stringContaining("2 of 2 reports do not say which lines are covered")],
  });
});
