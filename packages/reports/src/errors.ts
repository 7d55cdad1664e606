import { masked, printable } from "./mask.ts";
import type { ReadHints } from "./options.ts";

/**
 * Why a report was refused:
 *
 * - `unknown-format`: it looks like none of the formats, or a format was named that does not exist
 * - `unreadable-report`: it looks like a format, but is cut off, malformed, contradicts itself or lacks what the
 *   format has
 * - `empty-report`: nothing but white space, `null` or `[]`, which only mean "nothing found" once the format is named
 * - `failed-scan`: the report says that the tool failed, so an empty list of findings means nothing
 * - `nothing-measured`: the report is whole, but does not prove that the tool looked for what was asked for: no lines,
 *   no requests, no packages
 * - `no-severity`: more than a tenth of the findings have no severity, or any where the others alone would score
 *   above 90
 * - `undecided`: the report can be about several metrics or kinds, and the caller did not say which one
 * - `wrong-metric`: the report says nothing about what was asked for
 * - `not-mergeable`: load tests, or reports of different metrics
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

/** Options of `readReport` with which a refused report might be accepted. */
export type WayOut =
  | Pick<ReadHints, "metric">
  | Pick<ReadHints, "kind">
  | Pick<ReadHints, "format">
  | Pick<ReadHints, "assumeScanned">
  | Pick<ReadHints, "assumeSeverity">;

/** Most characters of a message. */
const maxMessage = 2_000;

/**
 * The only error of this package. The message names fields of the report, but never repeats values, which may be
 * secret.
 */
export class ReportError extends Error {
  override readonly name = "ReportError";
  readonly code: ReportErrorCode;
  /** Options with which the report might be accepted. */
  readonly waysOut: readonly WayOut[];

  constructor(code: ReportErrorCode, message: string, waysOut: readonly WayOut[] = []) {
    super(printable(masked(message, [], 0, maxMessage), maxMessage));
    this.code = code;
    this.waysOut = waysOut;
  }
}

/**
 * The error of a format that does not find what it needs, such as
 * `unreadable("Results[2].Vulnerabilities must be a list")`.
 */
export function unreadable(missing: string): ReportError {
  return new ReportError("unreadable-report", missing);
}
