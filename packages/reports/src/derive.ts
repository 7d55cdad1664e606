import { ReportError } from "./errors.ts";
import type { Facts, Load, ReportMetric } from "./format.ts";

/** The raw values of a metric, as POST /score takes them. */
export type RawValues = Readonly<Record<string, number | boolean>>;

/** The raw values of each metric that these facts can feed. */
export function metricsOf(
  metrics: readonly ReportMetric[],
  facts: Facts,
): { readonly [metric in ReportMetric]?: RawValues } {
  const values: { [metric in ReportMetric]?: RawValues } = {};
  for (const metric of metrics) {
    const raw = rawValues[metric](facts);
    if (raw) values[metric] = raw;
  }
  return values;
}

const rawValues: Readonly<Record<ReportMetric, (facts: Facts) => RawValues | undefined>> = {
  image_scan: ({ severities }) => severities && { ...severities },
  sast: ({ severities }) => severities && { ...severities },
  dast: ({ severities }) => {
    if (!severities) return undefined;
    const { critical, ...others } = severities;
    return { ...others, high: critical + severities.high };
  },
  secret_scan: ({ secrets }) => secrets && { found: secrets.count > 0, count: secrets.count },
  unit_coverage: coverageValues,
  integration_coverage: coverageValues,
  stress_test: loadValues,
};

function coverageValues({ coverage }: Facts): RawValues | undefined {
  if (!coverage) return undefined;
  const { covered, total } = coverage;
  if (total === 0) throw new ReportError("nothing-measured", `measured nothing: it has no ${coverage.unit}`);
  return { coverage_pct: rounded((100 * covered) / total, 4), covered, total };
}

function loadValues({ load }: Facts): RawValues | undefined {
  if (!load) return undefined;
  const decimals = { error_rate: 8, p95_ms: 4, checks_pct: 4 } satisfies Record<keyof Load, number>;
  const figures = Object.entries(load) as [keyof Load, number][];
  return Object.fromEntries(figures.map(([name, value]) => [name, rounded(value, decimals[name])]));
}

/** So that a person who reads why is not shown sixteen digits. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
