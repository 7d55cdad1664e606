import { application } from "@maturity/application";
import { createEngine, type Engine } from "@maturity/core";
import { security } from "@maturity/security";
import { expect } from "vitest";
import type { Problem, Reading } from "../../src/index.ts";
import { severities } from "../../src/index.ts";

const engine: Engine = createEngine([security, application]);

/** Expects that the service takes the raw values of a reading and its problems as they are. */
export function expectAccepted({ metrics, problems }: Reading): void {
  for (const [metric, raw] of Object.entries(metrics)) {
    const scorecard = security.metrics.some(({ name }) => name === metric) ? "security" : "application";
    expect(() => engine.score(scorecard, metric, raw)).not.toThrow();
  }
  for (const problem of Object.values(problems)) expectProblem(problem);
}

/** Code points that a text of the service may have, and that do no harm where a person reads it. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

function expectProblem({ count, severity, details }: Problem): void {
  expect(Number.isInteger(count) && count >= 0 && count <= 2_147_483_647).toBe(true);
  if (severity !== undefined) expect(severities).toContain(severity);
  expect(details.length).toBeLessThanOrEqual(Math.min(count, 1_000));
  expect(Buffer.byteLength(JSON.stringify(details))).toBeLessThan(1_000_000);
  for (const { file, line, description = "" } of details) {
    expect(printable.test(file) && file.length >= 1 && file.length <= 4_096).toBe(true);
    expect(line === undefined || (Number.isInteger(line) && line >= 0 && line <= 2_147_483_647)).toBe(true);
    expect(printable.test(description) && description.length <= 4_000).toBe(true);
  }
}
