import { ReportError } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countAt, isObject, objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";
import { refuseOtherShare } from "../stated.ts";

/**
 * `coverage-summary.json`, written by the json-summary reporter of Istanbul (nyc, c8, Jest, Vitest). The coverage is
 * `total.lines`.
 */
export const istanbulSummary: Format = {
  name: "istanbul-summary",
  title: "Istanbul json-summary",
  words: ["total", "lines", "statements", "functions", "branches", "pct", "branchesTrue"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one line in the total. Files for badges have percentages alone.
  looksLike({ head: [record] }) {
    return isObject(record) && isSummary(record.total);
  },

  read(document): Facts {
    const lines = objectAt(objectAt(singleRecord(document).total, "total").lines, "total.lines");
    if (lines.pct === "Unknown")
      throw new ReportError("nothing-measured", "measured nothing: total.lines.pct is Unknown");
    const covered = countAt(lines.covered, "total.lines.covered");
    const total = countAt(lines.total, "total.lines.total");
    if (typeof lines.pct === "number") refuseOtherShare(lines.pct / 100, covered / total, 0.001, "total.lines.pct");
    return { coverage: { unit: "lines", covered, total } };
  },
};

function isSummary(total: unknown): boolean {
  return isObject(total) && ["lines", "statements", "functions", "branches"].some((key) => isObject(total[key]));
}
