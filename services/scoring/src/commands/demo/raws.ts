/** How a metric of the made-up organisation is measured. */
export interface DemoMetric {
  /** What a tool would report at a level from 0, the worst, to 1. */
  readonly raw: (level: number) => object;
  /** Days between two reports. */
  readonly everyDays: number;
  /** The share of the applications that never report it. */
  readonly missing: number;
  /** Is it measured in production only? */
  readonly prodOnly?: boolean;
}

const rounded = (value: number, decimals = 0) => Number(value.toFixed(decimals));
const enabledFrom =
  (threshold: number) =>
  (level: number): object => ({ enabled: level > threshold });

/** By scorecard and metric: the metrics that ship. */
export const demoMetrics: Readonly<Record<string, Readonly<Record<string, DemoMetric>>>> = {
  security: {
    image_scan: {
      raw: (level) => ({
        critical: rounded((1 - level) ** 3 * 3),
        high: rounded((1 - level) ** 2 * 14),
        medium: rounded((1 - level) * 60),
      }),
      ...{ everyDays: 1, missing: 0.02 },
    },
    secret_scan: { raw: (level) => ({ found: level < 0.2 }), everyDays: 1, missing: 0.04 },
    sast: {
      raw: (level) => ({
        critical: rounded((1 - level) ** 4 * 3),
        high: rounded((1 - level) ** 2 * 8),
        medium: rounded((1 - level) * 22),
      }),
      ...{ everyDays: 1, missing: 0.1 },
    },
    dast: {
      raw: (level) => ({ high: rounded((1 - level) ** 3 * 4), medium: rounded((1 - level) * 9) }),
      ...{ everyDays: 3, missing: 0.3 },
    },
  },
  reliability: {
    sla: {
      raw: (level) => ({ availability_pct: rounded(99.98 - (1 - level) ** 2 * 3.5, 2) }),
      ...{ everyDays: 1, missing: 0.04, prodOnly: true },
    },
    change_failure_rate: {
      raw: (level) => ({ rate_pct: rounded(2 + (1 - level) * 28, 1) }),
      ...{ everyDays: 1, missing: 0.08, prodOnly: true },
    },
    mttr: {
      raw: (level) => ({ minutes: rounded(25 * Math.exp((1 - level) * 6)) }),
      ...{ everyDays: 1, missing: 0.15, prodOnly: true },
    },
    mttd: {
      raw: (level) => ({ minutes: rounded(3 * Math.exp((1 - level) * 6)) }),
      ...{ everyDays: 1, missing: 0.25, prodOnly: true },
    },
  },
  application: {
    libs_secrets: { raw: enabledFrom(0.35), everyDays: 28, missing: 0.05 },
    libs_observability: { raw: enabledFrom(0.42), everyDays: 28, missing: 0.05 },
    unique_db_user: { raw: enabledFrom(0.5), everyDays: 28, missing: 0.15 },
    health_check: { raw: enabledFrom(0.25), everyDays: 28, missing: 0.02 },
    unit_coverage: {
      raw: (level) => ({ coverage_pct: rounded(20 + level * 72, 1) }),
      ...{ everyDays: 2, missing: 0.05 },
    },
    integration_coverage: {
      raw: (level) => ({ coverage_pct: rounded(level * 66, 1) }),
      ...{ everyDays: 2, missing: 0.2 },
    },
    stress_test: {
      raw: (level) => ({
        error_rate: rounded((1 - level) ** 2 * 0.06, 3),
        p95_ms: rounded(150 + (1 - level) * 1_300),
        checks_pct: rounded(100 - (1 - level) * 18, 1),
      }),
      ...{ everyDays: 7, missing: 0.35 },
    },
  },
};
