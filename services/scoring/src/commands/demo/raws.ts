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

function scan(everyDays: number, missing: number, raw: DemoMetric["raw"]): DemoMetric {
  return { raw, everyDays, missing };
}

function flag(threshold: number, missing: number): DemoMetric {
  return { raw: (level) => ({ enabled: level > threshold }), everyDays: 28, missing };
}

function operated(missing: number, raw: DemoMetric["raw"]): DemoMetric {
  return { raw, everyDays: 1, missing, prodOnly: true };
}

/** By scorecard and metric: the metrics that ship. */
export const demoMetrics: Readonly<Record<string, Readonly<Record<string, DemoMetric>>>> = {
  security: {
    image_scan: scan(1, 0.02, (level) => ({
      critical: rounded((1 - level) ** 3 * 3),
      high: rounded((1 - level) ** 2 * 14),
      medium: rounded((1 - level) * 60),
    })),
    secret_scan: scan(1, 0.04, (level) => ({ found: level < 0.2 })),
    sast: scan(1, 0.1, (level) => ({
      critical: rounded((1 - level) ** 4 * 3),
      high: rounded((1 - level) ** 2 * 8),
      medium: rounded((1 - level) * 22),
    })),
    dast: scan(3, 0.3, (level) => ({ high: rounded((1 - level) ** 3 * 4), medium: rounded((1 - level) * 9) })),
  },
  reliability: {
    sla: operated(0.04, (level) => ({ availability_pct: rounded(99.98 - (1 - level) ** 2 * 3.5, 2) })),
    change_failure_rate: operated(0.08, (level) => ({ rate_pct: rounded(2 + (1 - level) * 28, 1) })),
    mttr: operated(0.15, (level) => ({ minutes: rounded(25 * Math.exp((1 - level) * 6)) })),
    mttd: operated(0.25, (level) => ({ minutes: rounded(3 * Math.exp((1 - level) * 6)) })),
  },
  application: {
    libs_secrets: flag(0.35, 0.05),
    libs_observability: flag(0.42, 0.05),
    unique_db_user: flag(0.5, 0.15),
    health_check: flag(0.25, 0.02),
    unit_coverage: scan(2, 0.05, (level) => ({ coverage_pct: rounded(20 + level * 72, 1) })),
    integration_coverage: scan(2, 0.2, (level) => ({ coverage_pct: rounded(level * 66, 1) })),
    stress_test: scan(7, 0.35, (level) => ({
      error_rate: rounded((1 - level) ** 2 * 0.06, 3),
      p95_ms: rounded(150 + (1 - level) * 1_300),
      checks_pct: rounded(100 - (1 - level) * 18, 1),
    })),
  },
};
