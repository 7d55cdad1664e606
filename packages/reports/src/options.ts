import type { AssumedSeverity, FindingKind, ReportMetric } from "./kinds.ts";

/** What the caller knows about the report. Without any of it the content decides. */
export interface ReadHints {
  /** The metric it shall feed; refused when it cannot. */
  readonly metric?: ReportMetric;
  /** The name of its format. */
  readonly format?: string;
  /** What it is read for. Each refuses a report that does not show that this very thing was looked for. */
  readonly for?: "score" | "problem";
  /** The kind of findings a problem is about. */
  readonly kind?: FindingKind;
  /**
   * The caller knows that it was looked for, although the report does not show it: findings that are not there are none.
   * A note says so. Coverage and loads are never assumed.
   */
  readonly assumeScanned?: boolean;
  /** What the severity of a finding counts as for which the report gives none. */
  readonly assumeSeverity?: AssumedSeverity;
}
