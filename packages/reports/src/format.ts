import type { Coverage } from "./coverage.ts";
import type { Document, EmptyForm } from "./document.ts";
import type { Problem } from "./findings.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";
import type { Measurement } from "./measurement.ts";
import type { SeverityCounts } from "./severities.ts";

/** What came of a load test. A figure the report does not have is absent. */
export interface Load {
  /** Share of requests that failed, 0–1. */
  readonly error_rate?: number;
  /** 95th percentile of the response time in milliseconds. */
  readonly p95_ms?: number;
  /** Share of checks that passed, 0–100. */
  readonly checks_pct?: number;
}

/** What a report says, whatever it is used for. A format gives those that its reports have. */
export interface Facts {
  /** What image_scan, sast and dast count. */
  readonly severities?: Measurement<SeverityCounts>;
  /** The findings with their places, by kind. The secrets feed secret_scan. */
  readonly findings?: { readonly [kind in FindingKind]?: Measurement<Problem> };
  /** Measured as soon as there is anything to cover. */
  readonly coverage?: Coverage;
  readonly load?: Load;
  /** Name of the tool, and its version where the report has it: `Grype 0.96.0`. */
  readonly tool?: string;
  /** The metric this very report is about, where the format is made for several. */
  readonly metric?: ReportMetric;
  /** The kind of findings this very report is about, where the format is made for several. */
  readonly problem?: FindingKind;
  /** The metrics this very report can feed, where these are not all of its format. */
  readonly metrics?: readonly ReportMetric[];
  /** The metrics for which the report shows, where there are no findings, that there are none; all, when left out. */
  readonly cleanFor?: readonly ReportMetric[];
  /** What the tool could not do, so that the values may lack something: `NodeAuditAnalyzer failed`. */
  readonly warnings?: readonly string[];
  /** What a person should know who reads the result: `3 suppressed, not counted`. */
  readonly notes?: readonly string[];
  /** The same where it is read for `image_scan`: `scanned was a directory, not an image`. */
  readonly imageNotes?: readonly string[];
}

/** A report format: a plain object, one a file, listed in `formats.ts`. */
export interface Format {
  /** Short and stable, to name the format by. */
  readonly name: string;
  /** For people: `Trivy JSON`. */
  readonly title: string;
  /** Names that its reports have and few others: by them a file of no format is told to be near this one. */
  readonly words?: readonly string[];
  /** The metrics its reports can feed. */
  readonly metrics: readonly ReportMetric[];
  /** The one meant when none is named. Only a format that is made for one metric has it. */
  readonly metric?: ReportMetric;
  /** The kinds of findings its reports list with their places. */
  readonly problems?: readonly FindingKind[];
  /** The one meant when none is named. Only a format that is made for one kind has it. */
  readonly problem?: FindingKind;
  /**
   * How the tool writes that it found nothing, where that does not show which tool it was; and what its caller must name
   * for it to count: this very format, or merely a metric or a kind of it.
   */
  readonly empty?: { readonly [form in EmptyForm]?: "format" | "metric" };
  /** Each JSON value is a record of its own, not a report, so the same one may be there again. */
  readonly streams?: true;
  /**
   * Whether the content is of this format. It is asked of files of every other format too, so it only looks at
   * `head`, `root` or the beginning of `text`; and of files that are cut off, so that the error can name the format.
   */
  looksLike(document: Document): boolean;
  /**
   * The facts of the whole report.
   *
   * @throws ReportError that says what is missing, to follow "looks like Trivy JSON, but "
   */
  read(document: Document): Facts;
}
