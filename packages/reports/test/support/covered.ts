import { expect } from "vitest";

/** What the reading of so many covered lines or statements, of so many, has. */
export function covered(some: number, all: number): object {
  const raw = { coverage_pct: expect.closeTo((100 * some) / all, 4), covered: some, total: all };
  return { metrics: { unit_coverage: raw, integration_coverage: raw } };
}
