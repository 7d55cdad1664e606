export type { Coverage } from "./coverage.ts";
export type { RawValues } from "./derive.ts";
export type { ReadOptions } from "./detect.ts";
export type { Document, EmptyForm } from "./document.ts";
export { ReportError, type ReportErrorCode, type WayOut } from "./errors.ts";
export type { Finding, Problem } from "./findings.ts";
export {
  type AssumedSeverity,
  type Facts,
  type FindingKind,
  type Format,
  findingKinds,
  type Load,
  type ReportMetric,
} from "./format.ts";
export { formats } from "./formats.ts";
export type { Held } from "./held.ts";
export { type Measured, type Measurement, measured, type NotMeasured, notMeasured } from "./measurement.ts";
export { mergeReadings } from "./merge.ts";
export { type Assumed, type Reading, readReport } from "./read-report.ts";
export { beginningLength, type Recognized, recognize } from "./recognize.ts";
export { type Severity, type SeverityCounts, severities } from "./severities.ts";
