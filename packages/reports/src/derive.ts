import { isAssumed, severitiesFor } from "./assume.ts";
import type { Facts, Load } from "./format.ts";
import type { AssumedSeverity, ReportMetric } from "./kinds.ts";
import { type Measurement, mapMeasured, measured, notMeasured } from "./measurement.ts";
import { withSeverity } from "./unknown-severity.ts";

/** The raw values of a metric: `raw` in the body of POST /score. */
export type RawValues = Readonly<Record<string, number | boolean>>;

/** What a report says about each metric. */
export type MetricMeasurements = { readonly [metric in ReportMetric]?: Measurement<RawValues> };

/**
 * Derives the raw values of metrics from the facts of a report. A metric about which the facts say nothing is absent.
 *
 * @param severity the severity to assume for findings that have none
 */
export function measurementsOf(
  metrics: readonly ReportMetric[],
  facts: Facts,
  severity?: AssumedSeverity,
): MetricMeasurements {
  const measurements: { [metric in ReportMetric]?: Measurement<RawValues> } = {};
  for (const metric of metrics) {
    const counts = severitiesFor(metric, facts);
    const severities = counts && mapMeasured(counts, (each) => withSeverity(each, severity));
    const measurement = rawValues[metric]({ ...facts, ...(severities && { severities }) });
    if (measurement) measurements[metric] = isAssumed(measurement) ? mapMeasured(measurement, marked) : measurement;
  }
  return measurements;
}

/** Marks raw values for which only the caller vouches, so that the stored score shows it. */
const marked = (raw: RawValues): RawValues => ({ ...raw, assumed_scanned: true });

type Derived = Measurement<RawValues> | undefined;

const rawValues: Readonly<Record<ReportMetric, (facts: Facts) => Derived>> = {
  image_scan: ({ severities }) => severities && mapMeasured(severities, (counts) => ({ ...counts })),
  sast: ({ severities }) => severities && mapMeasured(severities, (counts) => ({ ...counts })),
  dast: ({ severities }) =>
    severities && mapMeasured(severities, ({ critical, ...others }) => ({ ...others, high: critical + others.high })),
  secret_scan: ({ findings }) =>
    findings?.secrets && mapMeasured(findings.secrets, ({ count }) => ({ found: count > 0, count })),
  unit_coverage: coverageValues,
  integration_coverage: coverageValues,
  stress_test: loadValues,
};

function coverageValues({ coverage }: Facts): Derived {
  if (!coverage) return undefined;
  const { covered, total, unit } = coverage;
  if (total === 0) return notMeasured(`measured nothing: it has no ${unit}`);
  return measured({ coverage_pct: rounded((100 * covered) / total, 4), covered, total }, `${total} ${unit}`);
}

function loadValues({ load }: Facts): Derived {
  if (!load) return undefined;
  const decimals = { error_rate: 8, p95_ms: 4, checks_pct: 4 } satisfies Record<keyof Load, number>;
  const figures = Object.entries(load) as [keyof Load, number][];
  return measured(
    Object.fromEntries(figures.map(([name, value]) => [name, rounded(value, decimals[name])])),
    figures.map(([name]) => name).join(", "),
  );
}

/** Rounds a value, because it is shown in the reasons of the score. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
