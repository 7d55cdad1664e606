import type { Input } from "@maturity/core";

/** Test coverage. */
export interface Coverage {
  readonly coverage_pct: number;
}

/** A percentage. */
export const percentage: Input = { unit: "%", min: 0, max: 100 };
