import { readFileSync } from "node:fs";
import { join } from "node:path";
import { application } from "@maturity/application";
import { createEngine, excludedMetrics, rollUpApp } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

const scorecards = [security, reliability, application];
const page = readFileSync(join(repository, "docs/concepts.md"), "utf8");
const rows = [...page.matchAll(/^\| (.*) \| `([\d.\s()*/+-]+)` = ([\d.]+) \|$/gm)].map(
  ([, step = "", calculation = "", score = ""]) => ({ step, calculation, score }),
);

/** The value of a calculation that holds nothing but numbers and operators. */
const computed = (calculation: string) => Number(new Function(`return ${calculation}`)());

test.each(rows)("docs/concepts.md: $step", ({ step, calculation, score }) => {
  expect(step).not.toBe("");
  expect(computed(calculation)).toBeCloseTo(Number(score), 2);
});

test("the scores of docs/concepts.md are those of the shipped scorecards", () => {
  expect(rows.length).toBe(7);
  const engine = createEngine(scorecards);
  const at = new Date();
  const scores = {
    "security.image_scan": engine.score("security", "image_scan", { critical: 0, high: 3, medium: 12 }).score,
    "application.unit_coverage": engine.score("application", "unit_coverage", { coverage_pct: 68 }).score,
    "reliability.mttr": engine.score("reliability", "mttr", { minutes: 10_080 }).score,
  };
  const shown = rows.map(({ score }) => Number(score));
  expect(Object.values(scores)).toEqual(shown.slice(0, 3));
  const dated = Object.entries(scores).map(([name, score]) => [name, { score, reported_at: at }]);
  const cart = rollUpApp(scorecards, Object.fromEntries(dated), at);
  expect(cart?.score).toBeCloseTo(shown[3] ?? 0, 2);
  const [, share = "", written] = /`([\d\s()*/+]+)` = ([\d.]+)\./.exec(page) ?? [];
  expect(computed(share)).toBeCloseTo(Number(written), 6);
  expect(cart?.reported).toBeCloseTo(Number(written), 6);
  const mttr = { scorecard: "reliability", metric: "mttr", exempt: "not_applicable", reason: "not for cart" } as const;
  const exempt = rollUpApp(scorecards, Object.fromEntries(dated), at, excludedMetrics(scorecards, [mttr]));
  expect(exempt?.score).toBeCloseTo(shown[6] ?? 0, 2);
  expect(exempt?.exempt).toBeCloseTo(0.1, 9);
  const ago = new Date(at.getTime() - 21 * 86_400_000);
  const old = {
    ...Object.fromEntries(dated),
    "security.image_scan": { score: scores["security.image_scan"], reported_at: ago },
  };
  expect((cart?.fresh ?? 0) - (rollUpApp(scorecards, old, at)?.fresh ?? 0)).toBeCloseTo((35 * 25) / 10_000, 9);
});
