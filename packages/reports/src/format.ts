import type { Coverage } from "./coverage.ts";
import type { Document, EmptyForm } from "./document.ts";
import type { FindingList } from "./findings.ts";
import type { FindingKind, ReportMetric } from "./kinds.ts";
import type { StatedTime } from "./measured-at.ts";
import type { Measurement } from "./measurement.ts";
import type { SeverityCounts } from "./severities.ts";

/** The result of a load test. A figure that the report does not have is absent. */
export interface Load {
  /** Share of requests that failed, 0–1. */
  readonly error_rate?: number;
  /** 95th percentile of the response time in milliseconds. */
  readonly p95_ms?: number;
  /** Share of checks that passed, 0–100. */
  readonly checks_pct?: number;
}

/** What a report says, independent of its use. A format fills in what its reports contain. */
export interface Facts {
  /** The findings by severity, for image_scan, sast and dast. */
  readonly severities?: Measurement<SeverityCounts>;
  /** The findings with their files and lines, by kind. The kind `secrets` feeds secret_scan. */
  readonly findings?: { readonly [kind in FindingKind]?: Measurement<FindingList> };
  /** The coverage. It counts as measured if there is anything to cover. */
  readonly coverage?: Coverage;
  readonly load?: Load;
  /** Values of the first field of the format's `time`, where only the reader can find them. */
  readonly times?: readonly unknown[];
  /** Name of the tool, and its version if the report has it, such as `Grype 0.96.0`. */
  readonly tool?: string;
  /** Names of the tools without versions, if the format is that of several. */
  readonly toolNames?: readonly string[];
  /** The metric of this report, if its format can be about several. */
  readonly metric?: ReportMetric;
  /** The kind of findings of this report, if its format can be about several. */
  readonly problem?: FindingKind;
  /** The metrics that this report can feed, if these are not all of its format. */
  readonly metrics?: readonly ReportMetric[];
  /** The metrics for which a report without findings proves that there are none. The default is all metrics. */
  readonly cleanFor?: readonly ReportMetric[];
  /** The tools, each with the metrics for which it is known to look. A note names those that look for something else. */
  readonly strangers?: readonly { readonly tool: string; readonly knownFor: readonly ReportMetric[] }[];
  /** What the tool could not do, so that findings may be missing, such as `NodeAuditAnalyzer failed`. */
  readonly warnings?: readonly string[];
  /** What readers of the result should know, such as `3 suppressed, not counted`. */
  readonly notes?: readonly string[];
  /** Notes only for `image_scan`, such as `scanned was a directory, not an image`. */
  readonly imageNotes?: readonly string[];
}

/** A format of reports. Each is a plain object in a file of its own, and `formats/index.ts` lists it. */
export interface Format {
  /** The name by which callers choose the format. It is short and never changes. */
  readonly name: string;
  /** The name in messages, such as `Trivy JSON`. */
  readonly title: string;
  /**
   * Words that occur in its reports, but in few others. For a file of no known format they show which formats are near.
   */
  readonly words?: readonly string[];
  /** Where its reports state when the tool ran. */
  readonly time: StatedTime | "none";
  /** The metrics that its reports can feed. */
  readonly metrics: readonly ReportMetric[];
  /** The default metric. Only formats that are made for one metric have it. */
  readonly metric?: ReportMetric;
  /** The kinds of findings that its reports list with files and lines. */
  readonly problems?: readonly FindingKind[];
  /** The default kind. Only formats that are made for one kind have it. */
  readonly problem?: FindingKind;
  /**
   * The empty forms by which the tool says that it found nothing. They do not show which tool it was, so the caller has
   * to say it: `format` means by naming this format, `metric` by naming one of its metrics or kinds.
   */
  readonly empty?: { readonly [form in EmptyForm]?: "format" | "metric" };
  /**
   * Whether a file has this format. It is called for files of all formats, so it must be fast: it looks only at `head`,
   * `root` or the beginning of `text`. A file that is cut off must be recognized too, so that the error names the
   * format.
   */
  looksLike(document: Document): boolean;
  /**
   * Reads the whole report.
   *
   * @throws ReportError that says what is missing. Its message continues "this looks like Trivy JSON, but …".
   */
  read(document: Document): Facts;
}
