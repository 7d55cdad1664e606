import { type SeverityCounts, totalOf } from "./severities.ts";

/**
 * One measurement of a report: either a value, with the evidence that the tool looked for it, or that there is
 * no such evidence. Only a measured thing has a value. So a report that does not mention something is never mistaken
 * for one that found nothing.
 */
export type Measurement<Value> = Measured<Value> | NotMeasured;

/** The tool looked for it: `measured(counts, "packages are listed")`. */
export interface Measured<Value> {
  readonly measured: true;
  readonly value: Value;
  /** What in the report proves it, in a few words that do not come from the report. */
  readonly evidence: string;
}

/** Nothing proves that the tool looked for it: `notMeasured("does not show that secrets were looked for")`. */
export interface NotMeasured {
  readonly measured: false;
  /** Continues "this looks like Trivy JSON, but …". */
  readonly missing: string;
}

export function measured<Value>(value: Value, evidence: string): Measured<Value> {
  return { measured: true, value, evidence };
}

export function notMeasured(missing: string): NotMeasured {
  return { measured: false, missing };
}

/** The values of those things that are measured. */
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

/** Changes the value of a measurement, if there is one. */
export function mapMeasured<From, To>(measurement: Measurement<From>, map: (value: From) => To): Measurement<To> {
  return measurement.measured ? measured(map(measurement.value), measurement.evidence) : measurement;
}

/**
 * A measurement of findings. If there are any, they prove themselves that the tool looked for them. Otherwise the
 * report needs other evidence.
 *
 * @param count number of findings in the value
 * @param evidence other evidence; undefined if the report has none
 * @param missing what to say if there is neither
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

/** Like `measuredBy`, for counts by severity. */
export function measuredCounts(
  severities: SeverityCounts,
  evidence: string | undefined,
  missing: string,
): Measurement<SeverityCounts> {
  return measuredBy(severities, totalOf(severities), evidence, missing);
}
