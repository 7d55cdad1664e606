import { isAssumed, severitiesFor } from "./assume.ts";
import type { Facts, Load } from "./format.ts";
import type { AssumedSeverity, ReportMetric } from "./kinds.ts";
import { type Measurement, mapMeasured, measured, notMeasured } from "./measurement.ts";
import { withSeverity } from "./unknown-severity.ts";

/** The raw values of a metric, as POST /score takes them. */
export type RawValues = Readonly<Record<string, number | boolean>>;

/** What a report says of each metric. */
export type MetricMeasurements = { readonly [metric in ReportMetric]?: Measurement<RawValues> };

/**
 * What these facts say of each of the metrics. A metric of which they can say nothing is absent.
 *
 * @param severity what a finding without a severity counts as
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

/** Who looks at a stored score can tell that nobody showed it. */
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

/** So that a person who reads why is not shown sixteen digits. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
