import type { Input } from "@maturity/core";

/** Findings of a scanner by severity. */
export interface VulnerabilityCounts {
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
}

/** A number of findings. The upper bound, a billion, is far above any real scan. */
export const findings: Input = { max: 1_000_000_000 };
