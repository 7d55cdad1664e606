/** How results of a metric are made up. */
export interface DemoMetric {
  /** The values that a tool would report at a quality from 0, the worst, to 1. */
  readonly raw: (quality: number) => object;
  /** Days between two results. */
  readonly everyDays: number;
  /** The share of the applications without any result of it. */
  readonly missing: number;
  /** Whether it is measured in production only. */
  readonly prodOnly?: boolean;
}

const rounded = (value: number, decimals = 0) => Number(value.toFixed(decimals));

function scan(everyDays: number, missing: number, raw: DemoMetric["raw"]): DemoMetric {
  return { raw, everyDays, missing };
}

/** A flag that is true from a quality on. @param missing the share of applications that never report it */
function flag(threshold: number, missing: number): DemoMetric {
  return { raw: (quality) => ({ enabled: quality > threshold }), everyDays: 28, missing };
}

function operated(missing: number, raw: DemoMetric["raw"]): DemoMetric {
  return { raw, everyDays: 1, missing, prodOnly: true };
}

/** The metrics of the shipped scorecards, by scorecard and metric. */
export const demoMetrics: Readonly<Record<string, Readonly<Record<string, DemoMetric>>>> = {
  security: {
    image_scan: scan(1, 0.02, (quality) => ({
      critical: rounded((1 - quality) ** 3 * 3),
      high: rounded((1 - quality) ** 2 * 14),
      medium: rounded((1 - quality) * 60),
    })),
    secret_scan: scan(1, 0.04, (quality) => ({ found: quality < 0.2 })),
    sast: scan(1, 0.1, (quality) => ({
      critical: rounded((1 - quality) ** 4 * 3),
      high: rounded((1 - quality) ** 2 * 8),
      medium: rounded((1 - quality) * 22),
    })),
    dast: scan(3, 0.3, (quality) => ({ high: rounded((1 - quality) ** 3 * 4), medium: rounded((1 - quality) * 9) })),
  },
  reliability: {
    sla: operated(0.04, (quality) => ({ availability_pct: rounded(99.98 - (1 - quality) ** 2 * 3.5, 2) })),
    change_failure_rate: operated(0.08, (quality) => ({ rate_pct: rounded(2 + (1 - quality) * 28, 1) })),
    mttr: operated(0.15, (quality) => ({ minutes: rounded(25 * Math.exp((1 - quality) * 6)) })),
    mttd: operated(0.25, (quality) => ({ minutes: rounded(3 * Math.exp((1 - quality) * 6)) })),
  },
  application: {
    libs_secrets: flag(0.35, 0.05),
    libs_observability: flag(0.42, 0.05),
    unique_db_user: flag(0.5, 0.15),
    health_check: flag(0.25, 0.02),
    unit_coverage: scan(2, 0.05, (quality) => ({ coverage_pct: rounded(20 + quality * 72, 1) })),
    integration_coverage: scan(2, 0.2, (quality) => ({ coverage_pct: rounded(quality * 66, 1) })),
    stress_test: scan(7, 0.35, (quality) => ({
      error_rate: rounded((1 - quality) ** 2 * 0.06, 3),
      p95_ms: rounded(150 + (1 - quality) * 1_300),
      checks_pct: rounded(100 - (1 - quality) * 18, 1),
    })),
  },
};
