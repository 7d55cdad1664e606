import { statedCoverage } from "../coverage.ts";
import { CoveredLines, type FileLines } from "../covered-lines.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countAt, type Fields, isObject, objectAt, optionalListAt, textOf } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

/**
 * The output of `coverage json` of coverage.py. The coverage is computed from the lines in its totals.
 * `percent_covered` is not used, because it includes branches if they were measured. Executed lines include some that
 * are no statements, such as docstrings.
 */
export const coveragePy: Format = {
  name: "coveragepy",
  title: "coverage.py JSON",
  words: ["executed_lines", "missing_lines", "excluded_lines", "num_statements", "percent_covered", "branch_coverage"],
  time: { fields: ["meta.timestamp"] },
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one statement in the totals. Without any, percent_covered is 100.
  looksLike: ({ head: [record] }) =>
    isObject(record) && isObject(record.meta) && "branch_coverage" in record.meta && "version" in record.meta,

  read(document): Facts {
    const { meta, files, totals } = singleRecord(document);
    const version = isObject(meta) ? textOf(meta.version) : undefined;
    const lines = new CoveredLines();
    for (const [name, file] of Object.entries(objectAt(files, "files"))) {
      addLines(objectAt(file, "each of files"), lines.of(name));
    }
    const { covered_lines, num_statements, missing_lines } = objectAt(totals, "totals");
    const covered = countAt(covered_lines, "totals.covered_lines");
    const total = countAt(num_statements, "totals.num_statements");
    if (missing_lines !== undefined && missing_lines !== total - covered) {
      throw unreadable("totals.missing_lines contradicts totals.num_statements and totals.covered_lines");
    }
    return {
      coverage: statedCoverage({ unit: "lines", covered, total }, lines, true),
      tool: version === undefined ? "coverage.py" : `coverage.py ${version}`,
    };
  },
};

function addLines({ executed_lines, missing_lines }: Fields, lines: FileLines): void {
  const executed = optionalListAt(executed_lines, "executed_lines of each file");
  const missing = optionalListAt(missing_lines, "missing_lines of each file");
  for (const line of executed) lines.add(countAt(line, "each of executed_lines"), true);
  for (const line of missing) lines.add(countAt(line, "each of missing_lines"), false);
}
