import { expect } from "vitest";
import { readScorecardFile, ScorecardFileError } from "../src/index.ts";

/** A file that fits. */
export const cost: string = `# What our applications cost
contract: 1
name: cost
version: 1.0.0
dimension: run
weight: 20
metrics:
  - name: budget
    title: Spending against the budget
    weight: 60
    max_age_hours: 720
    description: |
      What was spent in the month.
    help: https://wiki.example.com/budget
    inputs:
      spent_pct: { label: spending, unit: "% of the budget", min: 0, max: 10000 }
    curve:
      piecewise: { field: spent_pct, points: [[100, 100], [110, 80], [150, 0]] }
    cases:
      - { raw: { spent_pct: 100 }, score: 100 }
      - { raw: { spent_pct: 120 }, score: 60 }
  - name: waste
    title: What nobody uses
    inputs:
      idle: { unit: [idle server, idle servers] }
    curve:
      lowest_of:
        - halving: { idle: 4, oversized: 40 }
        - log_piecewise: { field: oldest_days, points: [[1, 100], [1000, 0]] }
        - pass_fail: { field: reserved }
    cases:
      - { raw: { idle: 4, oversized: 0, oldest_days: 1, reserved: true }, score: 50 }
      - { raw: { idle: 0, oversized: 0, oldest_days: 10, reserved: 1 }, score: 66.67 }
      - { raw: { idle: 0, oversized: 0, oldest_days: 1, reserved: false }, score: 0 }
`;

/** The lines of the message that refuses a text, without the title. */
export function refusal(text: string): readonly string[] {
  try {
    readScorecardFile(text, "cost.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(ScorecardFileError);
    const [title, ...lines] = (error as Error).message.split("\n");
    expect(title).toBe("the scorecard cost.yaml cannot be used:");
    return lines.map((line) => line.slice(2));
  }
  return [];
}

/** The file with other texts in it. */
export function changed(...changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, cost);
}
