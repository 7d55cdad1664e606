import type { Coverage } from "./coverage.ts";
import { unreadable } from "./errors.ts";
import type { FindingList } from "./findings.ts";
import type { Load } from "./format.ts";
import { own } from "./own.ts";
import { noFindings } from "./severities.ts";

/** The members of a reading that have figures. */
export interface Figures {
  readonly metrics: object;
  readonly problems: object;
  readonly findings: object;
  readonly problem?: object;
  readonly severities?: object;
  readonly coverage?: Coverage;
  readonly load?: Load;
}

/** What a figure may be. All figures are finite and not below 0. */
interface Range {
  /** What the error calls it. */
  readonly called: string;
  readonly maximum: number;
  readonly isWhole: boolean;
}

const share = (called: string, maximum: number): Range => ({ called, maximum, isWhole: false });
const number = (of: string, maximum: number): Range => ({ called: `the number of ${of}`, maximum, isWhole: true });

/** Most findings that the service accepts. */
const maxFindings = 1_000_000_000;
/** The longest response time that the service accepts: a day. */
const maxMilliseconds = 86_400_000;

/** The ranges of all figures that a reading has, by their names. */
const ranges: Readonly<Record<string, Range>> = {
  ...Object.fromEntries(
    Object.keys(noFindings()).map((severity) => [severity, number(`${severity} findings`, maxFindings)]),
  ),
  assumed_severities: number("findings without a severity", maxFindings),
  count: number("findings", maxFindings),
  covered: number("covered lines or statements", Number.MAX_SAFE_INTEGER),
  total: number("lines or statements", Number.MAX_SAFE_INTEGER),
  coverage_pct: share("the share of covered lines or statements in percent", 100),
  error_rate: share("the share of failed requests", 1),
  p95_ms: share("the 95th percentile of the response time in milliseconds", maxMilliseconds),
  checks_pct: share("the share of passed checks in percent", 100),
};

/**
 * The reading itself, if all its figures are in their ranges. Every reading of every format ends here, so a format need
 * not check what it has computed.
 *
 * @throws ReportError that names the first figure that cannot be
 */
export function withPossibleFigures<Read extends Figures>(reading: Read): Read {
  const { metrics, problems, problem, severities, coverage, load } = reading;
  const found = Object.values(reading.findings).flatMap((list: FindingList) => [list, list.severities]);
  if (coverage && coverage.covered > coverage.total) throw unreadable("has more covered than there is");
  for (const figures of [
    severities,
    coverage,
    load,
    ...Object.values(metrics),
    problem,
    ...Object.values(problems),
    ...found,
  ]) {
    for (const [name, value] of Object.entries(figures ?? {})) refuseOutside(value, own(ranges, name));
  }
  return reading;
}

function refuseOutside(value: unknown, range: Range | undefined): void {
  if (!range) return;
  const { called, maximum, isWhole } = range;
  const isPossible = typeof value === "number" && value >= 0 && value <= maximum;
  if (isPossible && (!isWhole || Number.isInteger(value))) return;
  throw unreadable(`${called} must be ${isWhole ? "a whole number " : ""}from 0 to ${maximum}`);
}
