import { CoveredBlocks } from "./covered-blocks.ts";
import { CoveredLines } from "./covered-lines.ts";
import { unreadable } from "./errors.ts";

/** How much of the source code the tests have run. */
export interface Coverage {
  /** What is counted. */
  readonly unit: "lines" | "statements";
  readonly covered: number;
  readonly total: number;
  /**
   * Which lines or blocks are covered, if the report says so. It allows to merge the reports of several runs of one
   * source.
   */
  readonly places?: CoveredLines | CoveredBlocks;
}

/** The total that a report states of its whole source. */
export class StatedTotal {
  #total: Pick<Coverage, "covered" | "total"> | undefined;

  /** The total, if the report has one. */
  get value(): Pick<Coverage, "covered" | "total"> | undefined {
    return this.#total;
  }

  /** @throws ReportError if the report has another one already, because nothing says which is right */
  set(total: Pick<Coverage, "covered" | "total">): void {
    if (this.#total) throw unreadable("has two totals: give one report a file");
    this.#total = total;
  }
}

/**
 * The coverage that a report states as a total. Its single lines or blocks are kept only if they add up to this total.
 * A report can list fewer of them than it counts, such as a line with several statements, but not more.
 *
 * @param listsMore set if the report also lists covered lines that it does not count
 * @throws ReportError if the lines or blocks contradict the total
 */
export function statedCoverage(
  stated: Pick<Coverage, "unit" | "covered" | "total">,
  places: CoveredLines | CoveredBlocks,
  listsMore = false,
): Coverage {
  const { covered, total } = places.count();
  const [missed, missing] = [total - covered, Math.max(0, stated.total - stated.covered)];
  if (missed > missing) throw contradicted(missed, "not covered", missing);
  if (covered > stated.covered && !listsMore) throw contradicted(covered, "covered", stated.covered);
  return { ...stated, ...(covered === stated.covered && total === stated.total && { places }) };
}

function contradicted(listed: number, what: string, stated: number): Error {
  return unreadable(`its total contradicts its lines: ${listed} are listed as ${what}, and the total has ${stated}`);
}

/**
 * Merges the coverage of several reports, such as the parts of a test run. A line or block is covered if any report
 * covers it. Files are the same by their name; a relative name must also have the same lines in both reports. Notes
 * number the relative names that stand in several. Reports that have only totals are added up, and a note says so.
 *
 * @throws ReportError if the reports are about different versions of the source
 */
export function mergeCoverage(coverages: readonly Coverage[]): { coverage: Coverage; notes: string[] } {
  const [only, ...others] = coverages;
  if (only && others.length === 0) return { coverage: only, notes: [] };
  const lines = new CoveredLines();
  const blocks = new CoveredBlocks();
  const added: Coverage[] = [];
  for (const coverage of coverages) {
    if (coverage.places instanceof CoveredLines) lines.addAll(coverage.places);
    else if (coverage.places instanceof CoveredBlocks) blocks.addAll(coverage.places);
    else added.push(coverage);
  }
  const counts = { lines: lines.count(), blocks: blocks.count() };
  const parts = [counts.lines, counts.blocks, ...added];
  const units = new Set(coverages.map(({ unit }) => unit));
  const notes = lines.notes;
  if (added.length > 0) {
    notes.push(
      `${added.length} of ${coverages.length} reports do not say which lines are covered: they are added up, so what two of them cover counts twice`,
    );
  }
  if (units.size > 1) notes.push("lines and statements are added up");
  return {
    coverage: {
      unit: units.has("lines") ? "lines" : "statements",
      covered: parts.reduce((sum, { covered }) => sum + covered, 0),
      total: parts.reduce((sum, { total }) => sum + total, 0),
      ...(added.length === 0 && counts.blocks.total === 0 && { places: lines }),
      ...(added.length === 0 && counts.lines.total === 0 && { places: blocks }),
    },
    notes,
  };
}
