import { type SeverityCounts, totalOf } from "./severities.ts";

/**
 * What a report says of one thing that its format can tell of: a value, with what shows that it was looked for; or that
 * nothing shows it. A value is only to be had once it is measured, so that silence is never taken for "nothing found".
 */
export type Measurement<Value> = Measured<Value> | NotMeasured;

/** It was looked for: `measured(counts, "packages are listed")`. */
export interface Measured<Value> {
  readonly measured: true;
  readonly value: Value;
  /** What in the report shows it, in a few words of our own. */
  readonly evidence: string;
}

/** Nothing shows that it was looked for: `notMeasured("does not show that secrets were looked for")`. */
export interface NotMeasured {
  readonly measured: false;
  /** Follows "this looks like Trivy JSON, but it ". */
  readonly missing: string;
}

export function measured<Value>(value: Value, evidence: string): Measured<Value> {
  return { measured: true, value, evidence };
}

export function notMeasured(missing: string): NotMeasured {
  return { measured: false, missing };
}

/** The values of those that are measured. */
export function measuredValues<Values extends object>(
  measurements: {
    readonly [name in keyof Values]?: Measurement<Values[name]> | undefined;
  },
): { readonly [name in keyof Values]?: Values[name] } {
  const values: { [name in keyof Values]?: Values[name] } = {};
  for (const name of Object.keys(measurements) as (keyof Values)[]) {
    const measurement = measurements[name];
    if (measurement?.measured) values[name] = measurement.value;
  }
  return values;
}

/** The same measurement of something that is made of the value. */
export function mapMeasured<From, To>(measurement: Measurement<From>, map: (value: From) => To): Measurement<To> {
  return measurement.measured ? measured(map(measurement.value), measurement.evidence) : measurement;
}

/**
 * Findings prove that they were looked for. Where there are none, something else has to.
 *
 * @param count how many findings the value stands for
 * @param evidence undefined when nothing in the report shows it
 */
export function measuredBy<Value>(
  value: Value,
  count: number,
  evidence: string | undefined,
  missing: string,
): Measurement<Value> {
  if (evidence !== undefined) return measured(value, evidence);
  return count > 0 ? measured(value, "findings") : notMeasured(missing);
}

/** The same of counts by severity. */
export function measuredCounts(
  severities: SeverityCounts,
  evidence: string | undefined,
  missing: string,
): Measurement<SeverityCounts> {
  return measuredBy(severities, totalOf(severities), evidence, missing);
}
