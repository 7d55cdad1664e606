import {
  coversTarget,
  type Engine,
  isInForce,
  MaturityError,
  rollUp,
  type ScoreRecord,
  type Target,
  type Waiver,
} from "@maturity/core";
import { excludedInOrder, levelFacts, levelOf } from "@maturity/core/wire";
import { demoMetrics } from "@maturity/demo";
import fc from "fast-check";
import type { Problem } from "../../src/model/problem.ts";
import type { RecordedRules } from "../../src/policy/recorded.ts";
import type { Rules } from "../../src/policy/rules.ts";
import type { NewScore } from "../../src/store/new-score.ts";
import { hostileNames } from "./hostile-names.ts";
import { shippedEngine } from "./service.ts";

/** A scorecard that was registered once, and that no installed package has. */
export const goneScorecard: RecordedRules["scorecards"][number] = {
  name: "gone",
  weight: 7,
  metrics: [{ name: "old", weight: 2, max_age_hours: 1 }],
};

const target = fc.record({
  area: fc.constantFrom(...hostileNames.slice(0, 3)),
  team: fc.constantFrom(...hostileNames.slice(0, 4)),
  app: fc.constantFrom(...hostileNames.slice(0, 9), "cart"),
  env: fc.constantFrom("prod", "staging"),
});

const metrics = Object.entries(demoMetrics).flatMap(([scorecard, kinds]) =>
  Object.entries(kinds).map(([metric, { raw }]) => ({ scorecard, metric, raw })),
);

/** Scores that today's rules made or did not make, of results that they take or refuse, and of a metric that is gone. */
export function storedScores(seed: number): NewScore[] {
  const level = fc.constantFrom(0, 0.1, 0.3, 0.5, 0.8, 1);
  const one = fc
    .record({
      target,
      kind: fc.constantFrom(...metrics),
      level,
      what: fc.constantFrom("today", "today", "moved", "moved", "other version", "refused", "gone"),
      score: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ target, kind: { scorecard, metric, raw }, level, what, score }): NewScore => {
      const key = { ...target, scorecard, metric };
      const valid = { note: 'a\tb\n"c"\u2028 ☃', ...raw(level) };
      const today = shippedEngine.score(scorecard, metric, valid);
      const former = { scorer: "@maturity/old@0.0.1", score: score / 100 };
      if (what === "gone") return { ...key, scorecard: "gone", metric: "old", raw: valid, ...former };
      if (what === "refused") return { ...key, raw: { level, secret: score % 3 }, ...former };
      const made = { score: today.score, scorer: today.scorer };
      return {
        ...key,
        raw: valid,
        ...made,
        ...(what !== "today" && { scorer: former.scorer }),
        ...(what === "moved" && former),
      };
    });
  const found = fc.sample(fc.array(one, { minLength: 400, maxLength: 400 }), { seed, numRuns: 1 }).flat();
  const keyOf = ({ area, team, app, env, scorecard, metric }: NewScore) =>
    JSON.stringify([area, team, app, env, scorecard, metric]);
  return [...new Map(found.map((score) => [keyOf(score), score])).values()];
}

/** An application as the model sees it. */
export interface ModelApp extends Target {
  readonly score: number;
  readonly level: string | null;
}

/** What a plain reading of the rules makes of an organisation. */
export function modelApps(
  rules: Pick<Rules, "scorecards" | "levels">,
  scores: readonly ScoreRecord[],
  { at, waivers, problems }: { at: Date; waivers: readonly Waiver[]; problems: readonly Problem[] },
): ModelApp[] {
  return rollUp(rules.scorecards, scores, at, waivers).apps.map((app) => {
    const { area, team, app: name, env, score } = app;
    const isOf = (one: Target) => one.area === area && one.team === team && one.app === name && one.env === env;
    const metricScores = rules.scorecards.flatMap((card) =>
      card.metrics.map((metric) =>
        scores.find((one) => isOf(one) && one.scorecard === card.name && one.metric === metric.name),
      ),
    );
    const inForce = waivers.filter((waiver) => isInForce(waiver, at) && coversTarget(waiver, app));
    const open = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    for (const problem of problems) if (isOf(problem) && problem.count > 0) open[problem.severity]++;
    const facts = levelFacts(rules.scorecards, metricScores, excludedInOrder(rules.scorecards, inForce), open);
    return { area, team, app: name, env, score, level: levelOf(app, facts, rules.levels)?.name ?? null };
  });
}

/** What an engine makes of a result: the score, or the code of its refusal. */
export function scoreOrCode(engine: Engine, { scorecard, metric, raw }: NewScore): number | string {
  try {
    return engine.score(scorecard, metric, raw).score;
  } catch (error) {
    if (error instanceof MaturityError) return error.code;
    throw error;
  }
}
