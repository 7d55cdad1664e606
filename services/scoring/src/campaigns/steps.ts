import type { DatedScore, Level, Scorecard } from "@maturity/core";
import { rollUpInOrder } from "@maturity/core/wire";
import type { CampaignGoal } from "../model/campaign.ts";
import { createLevelFinder } from "../rollups/app-levels.ts";
import { excludedOf } from "../rollups/exemptions.ts";
import type { Member } from "./members.ts";

/** The metric that a member should raise first. */
export interface MemberStep {
  readonly scorecard: string;
  readonly metric: string;
  /** By how many points the score of the application rises if the metric scores 100; null if it never reported. */
  readonly gain: number | null;
  readonly title: string;
}

/** What an application would have if one of its metrics scored 100. */
interface Raised {
  readonly step: MemberStep;
  /** The score of the scorecard of the goal, or the rank of the level. */
  readonly reached: number;
  /** By how many points the score of the application rises. */
  readonly gain: number;
}

/**
 * Makes a function that finds the metric that a member should raise first: the one of the goal, or else the one that, at
 * 100, brings it nearest to the goal, and of several the one with the largest gain. The gains are those of `eachGain`.
 *
 * @returns null for a member that meets the goal or need not, and for a goal about problems
 */
export function createStepFinder(rules: {
  readonly scorecards: readonly Scorecard[];
  readonly levels: readonly Level[];
}): (member: Pick<Member, "app" | "state">, goal: CampaignGoal, asOf: Date) => MemberStep | null {
  const { scorecards, levels } = rules;
  const levelOf = createLevelFinder(rules, levels);
  const metrics = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ scorecard: name, metric: metric.name, title: metric.title })),
  );

  function enoughFor(goal: CampaignGoal): number {
    return "min" in goal ? goal.min : "level" in goal ? 1 + levels.findIndex(({ name }) => name === goal.level) : 0;
  }

  return ({ app, state }, goal, asOf) => {
    if ((state !== "left" && state !== "lost") || "no_open_problems" in goal) return null;
    const { problems, metricScores } = app;
    const scores = metrics.map((_, index) => metricScores[index]);
    const excluded = excludedOf(scorecards, app.exemptions, app.waivers);
    const roll = (values: readonly (DatedScore | undefined)[]) => rollUpInOrder(scorecards, values, asOf, excluded);
    const isOfGoal = ({ scorecard, metric }: MemberStep) =>
      "metric" in goal ? `${scorecard}.${metric}` === goal.metric : "level" in goal || scorecard === goal.scorecard;
    const raised = metrics.flatMap((metric, index): Raised[] => {
      const own = scores[index];
      if (excluded[index] || own?.score === 100 || !isOfGoal({ ...metric, gain: null })) return [];
      const values = scores.with(index, { reported_at: asOf, ...own, score: 100 });
      const then = roll(values);
      if (!then) return [];
      const gain = then.score - (app.score ?? 0);
      const reached =
        "level" in goal
          ? (levelOf(then, problems, values, excluded)?.rank ?? 0)
          : (then.scorecards.find(({ scorecard }) => scorecard === metric.scorecard)?.score ?? 0);
      return [{ step: { ...metric, gain: own ? gain : null }, reached: Math.min(reached, enoughFor(goal)), gain }];
    });
    const [best] = raised.sort((a, b) => b.reached - a.reached || b.gain - a.gain);
    return best?.step ?? null;
  };
}
