import type { AssumedSeverity, FindingKind, ReportMetric } from "./kinds.ts";

/** What the caller knows about the report. All of it is optional, because the content mostly decides. */
export interface ReadHints {
  /** The metric that it shall feed. If it cannot, it is refused. */
  readonly metric?: ReportMetric;
  /** The name of its format. */
  readonly format?: string;
  /**
   * What it is read for. It is refused if it does not prove that the tool looked for exactly that. Without this option,
   * a report that can be about several metrics is read for none of them.
   */
  readonly for?: "score" | "problem";
  /** The kind of findings of a problem. */
  readonly kind?: FindingKind;
  /**
   * The caller vouches that the tool looked for findings. Then a report without findings counts as clean, even if it
   * does not prove that, and a note says so. Has no effect on coverage and load tests.
   */
  readonly assumeScanned?: boolean;
  /** The severity of findings for which the report gives none. */
  readonly assumeSeverity?: AssumedSeverity;
}
