import type { AnySubmission } from "@maturity/client";
import type { PathFault } from "@maturity/report-files/conclude";

/** A result of the past, and where it stands. */
export interface PastResult {
  /** The line of a table, such as `line 12`, or the path of a report. */
  readonly place: string;
  readonly submission: AnySubmission & { readonly measured_at: string };
}

/** What a file or directory holds. */
export interface PastResults {
  readonly results: readonly PastResult[];
  /** What nothing can be made of: the lines and reports, each with every reason. */
  readonly faults: readonly PathFault[];
  /** What a person should know besides. */
  readonly notes: readonly string[];
}
