import { masked, printable } from "./mask.ts";
import type { ReadHints } from "./options.ts";

/**
 * Why a report was refused:
 *
 * - `unknown-format`: it looks like none of the formats, or a format was named that does not exist
 * - `unreadable-report`: it looks like a format, but is cut off, malformed or lacks what the format has
 * - `empty-report`: 0 bytes, `null` or `[]`, which only mean "nothing found" once the format is named
 * - `failed-scan`: the report says that the tool failed, so that finding nothing means nothing
 * - `nothing-measured`: the report is whole, but does not show that what was asked for was looked for: no lines, no
 *   requests, no packages
 * - `no-severity`: no finding has a severity, so that there is nothing to score by
 * - `undecided`: the report can be about several things, and the caller did not say which
 * - `wrong-metric`: the report says nothing about what was asked for
 * - `not-mergeable`: these reports cannot be made one
 */
export type ReportErrorCode =
  | "unknown-format"
  | "unreadable-report"
  | "empty-report"
  | "failed-scan"
  | "nothing-measured"
  | "no-severity"
  | "undecided"
  | "wrong-metric"
  | "not-mergeable";

/** What the caller could say for the report to be taken: one of the options of `readReport`. */
export type WayOut =
  | Pick<ReadHints, "metric">
  | Pick<ReadHints, "kind">
  | Pick<ReadHints, "format">
  | Pick<ReadHints, "assumeScanned">
  | Pick<ReadHints, "assumeSeverity">;

/** Characters of a message. */
const maxMessage = 2_000;

/** The only error thrown here. The message never repeats values of the report, which may be secret; only names of fields. */
export class ReportError extends Error {
  override readonly name = "ReportError";
  readonly code: ReportErrorCode;
  /** What the caller could say for the report to be taken after all. */
  readonly waysOut: readonly WayOut[];

  constructor(code: ReportErrorCode, message: string, waysOut: readonly WayOut[] = []) {
    super(printable(masked(message, [], 0, maxMessage), maxMessage));
    this.code = code;
    this.waysOut = waysOut;
  }
}

/** The error of a reader that does not find what it needs: `unreadable("Results[2].Vulnerabilities must be a list")`. */
export function unreadable(missing: string): ReportError {
  return new ReportError("unreadable-report", missing);
}
