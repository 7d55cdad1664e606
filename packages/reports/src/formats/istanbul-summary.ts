import { ReportError, unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countAt, type Fields, isObject, objectAt } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * `coverage-summary.json`, the json-summary reporter of Istanbul (nyc, c8, Jest, Vitest). Its `total.lines` count.
 * `coverage-final.json`, which has statements by number and no totals, is refused.
 */
export const istanbulSummary: Format = {
  name: "istanbul-summary",
  title: "Istanbul json-summary",
  metrics: ["unit_coverage", "integration_coverage"],

  looksLike({ head: [record] }) {
    return isObject(record) && (isSummary(record.total) || Object.values(record).some(isFinal));
  },

  read(document): Facts {
    const report = singleRecord(document);
    if (!isSummary(report.total)) {
      throw unreadable("is coverage-final.json, which has no totals: add the reporter json-summary");
    }
    const lines = objectAt(report.total.lines, "total.lines");
    if (lines.pct === "Unknown")
      throw new ReportError("nothing-measured", "measured nothing: total.lines.pct is Unknown");
    const covered = countAt(lines.covered, "total.lines.covered");
    const total = countAt(lines.total, "total.lines.total");
    if (covered > total) throw unreadable("total.lines.covered must not be above total.lines.total");
    return { coverage: { unit: "lines", covered, total } };
  },
};

function isSummary(total: unknown): total is Fields {
  return isObject(total) && ["lines", "statements", "functions", "branches"].some((key) => isObject(total[key]));
}

function isFinal(file: unknown): boolean {
  return isObject(file) && isObject(file.statementMap);
}
