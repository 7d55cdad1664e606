import { type Flags, valuesOf } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import { type MetricName, metricNamed, metricText } from "@maturity/report-files/metric-name";

/** The lowest score of one metric that passes, from 0 to 100. */
export interface MetricMinimum extends MetricName {
  readonly min: number;
}

/** An age as the caller wrote it, and in milliseconds. */
export interface MaximumAge {
  readonly text: string;
  readonly ms: number;
}

/** What a gate asks for. What is absent asks for nothing. */
export interface Conditions {
  /** The lowest score that passes, from 0 to 100, of the metrics that have no minimum of their own. */
  readonly min?: number;
  /** The minimum of each metric that has its own. */
  readonly metrics: readonly MetricMinimum[];
  /** The age that no report may exceed. */
  readonly maxAge?: MaximumAge;
  /** By how many points a score may be below the stored one, from 0. */
  readonly maxDrop?: number;
  /** The lowest score of the application, from 0 to 100. */
  readonly appMin?: number;
  /** Whether no problem may be found that is not open already. */
  readonly noNewProblems: boolean;
}

/**
 * Reads what must hold from the flags `min`, `maxAge`, `worse`, `maxDrop`, `appMin`, `newProblems`.
 *
 * @throws UsageError for a value out of range, two minima of one metric, or if no flag asks for anything
 */
export function conditionsOf(flags: Flags): Conditions {
  const { min, maxAge, worse, maxDrop, appMin, newProblems, problems, gate } = flags;
  if (worse === false && maxDrop !== undefined) {
    throw new UsageError("--no-worse is --max-drop 0: give one of the two");
  }
  const noNewProblems = newProblems === false;
  // `submit --gate` has another use for problems: it sends them.
  if (noNewProblems ? problems === undefined : problems !== undefined && !gate) {
    throw new UsageError("--no-new-problems and --problems go together: which problem each report is about");
  }
  const drop = worse === false ? "0" : maxDrop;
  if (min === undefined && maxAge === undefined && drop === undefined && appMin === undefined && !noNewProblems) {
    throw new UsageError(
      "give what must hold: --min, --max-age, --no-worse, --max-drop, --app-min or --no-new-problems",
    );
  }
  const minima = valuesOf(min).map((text) => /^(?:(.+)=)?([^=]*)$/.exec(text) ?? [text, undefined, text]);
  const plain = minima.filter(([, metric]) => metric === undefined);
  if (plain.length > 1) throw new UsageError("of several --min each but one needs its metric: --min image_scan=80");
  const [[, , all] = []] = plain;
  const metrics = minima.flatMap(([text = "", metric, score]) =>
    metric === undefined ? [] : [{ ...metricNamed(metric), min: numberOf(`--min ${text}: the score`, score) }],
  );
  const names = metrics.map(metricText);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--min names ${twice} twice: give one score for each metric`);
  return {
    ...(all !== undefined && { min: numberOf("--min", all) }),
    metrics,
    ...(maxAge !== undefined && { maxAge: ageOf(String(maxAge)) }),
    ...(drop !== undefined && { maxDrop: numberOf("--max-drop", drop) }),
    ...(appMin !== undefined && { appMin: numberOf("--app-min", appMin) }),
    noNewProblems,
  };
}

/** The lowest score of a metric that passes; undefined if none is asked for. */
export function minimumOf({ min, metrics }: Conditions, { scorecard, metric }: MetricName): number | undefined {
  return metrics.find((one) => one.scorecard === scorecard && one.metric === metric)?.min ?? min;
}

function numberOf(flag: string, text: unknown): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100) || text === "") throw new UsageError(`${flag} must be from 0 to 100`);
  return value;
}

const unitMs = { h: 3_600_000, d: 86_400_000 };

/** @throws UsageError for anything but whole hours or days */
function ageOf(text: string): MaximumAge {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError("--max-age must be hours or days, such as 12h or 7d");
  return { text, ms: Number(count) * unitMs[unit as keyof typeof unitMs] };
}
