import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { istanbulSummary } from "./istanbul-summary.ts";

const counts = (total: number, covered: number, pct: number | string = 0) => ({ total, covered, skipped: 0, pct });
const summary = (lines: unknown) =>
  JSON.stringify({
    total: { lines, statements: counts(9, 9), functions: counts(3, 3), branches: counts(0, 0, "Unknown") },
    "C:\\shop\\cart.ts": {
      lines: counts(4, 1),
      statements: counts(5, 1),
      functions: counts(1, 0),
      branches: counts(0, 0),
    },
  });

testFormat(istanbulSummary, {
  "the lines of the total, not the rounded percentage": {
    report: summary(counts(3, 2, 66.66)),
    reads: covered(2, 3),
  },
  "no branches": {
    report: JSON.stringify({ total: { lines: counts(4, 4, 100) } }, null, 2),
    reads: covered(4, 4),
  },

  "a stub written by hand": {
    report: '{"total":{"lines":{"pct":85},"statements":{"pct":85},"functions":{"pct":85},"branches":{"pct":85}}}',
    refused: ["unreadable-report", "total.lines.covered must be a whole number, not below 0"],
  },
  "nothing loaded": {
    report: summary(counts(0, 0, "Unknown")),
    refused: ["nothing-measured", "measured nothing: total.lines.pct is Unknown"],
  },
  "no lines in old versions, which called nothing 100 %": {
    report: summary(counts(0, 0, 100)),
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "a number as text": {
    report: summary({ total: "3", covered: 2, pct: 66 }),
    refused: ["unreadable-report", "total.lines.total must be a whole number, not below 0"],
  },
  "more covered than there is": {
    report: summary(counts(2, 3, 150)),
    refused: ["unreadable-report", "has more covered than there is"],
  },
  "no lines in the total": {
    report: JSON.stringify({ total: { statements: counts(1, 1) } }),
    refused: ["unreadable-report", "total.lines must be an object"],
  },
  "two summaries in one file": {
    report: summary(counts(3, 2)) + summary(counts(3, 1)),
    refused: ["unreadable-report", "has several JSON values: give one report a file"],
  },
});
