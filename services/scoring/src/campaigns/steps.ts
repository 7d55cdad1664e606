import type { Level } from "@maturity/core";
import type { CampaignGoal } from "../model/campaign.ts";
import { createStandingFinder } from "../rollups/app-levels.ts";
import { excludedOf } from "../rollups/exemptions.ts";
import type { CampaignRules } from "./check.ts";
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
  /** The score of its scorecard, or the rank of the level, but no more than the goal needs. */
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
export function createStepFinder(
  rules: CampaignRules,
): (member: Pick<Member, "app" | "state">, goal: CampaignGoal, asOf: Date) => MemberStep | null {
  const { scorecards, levels } = rules;
  const [standingOf, rollUpOf] = [createStandingFinder(rules), createStandingFinder({ scorecards })];
  const metrics = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ scorecard: name, metric: metric.name, title: metric.title })),
  );

  /** What the application would have if the metric of this index scored 100; undefined without any score. */
  function raise(app: Member["app"], index: number, goal: CampaignGoal, asOf: Date): Raised | undefined {
    const metric = metrics[index] as Omit<MemberStep, "gain">;
    const scores = metrics.map((_, at) => app.metricScores.at(at));
    const own = scores[index];
    const raised = scores.with(index, { reported_at: asOf, ...own, score: 100 });
    const then = ("level" in goal ? standingOf : rollUpOf)(app, raised, asOf);
    if (then.score === undefined) return undefined;
    const gain = then.score - (app.score ?? 0);
    const reached =
      "level" in goal
        ? (then.level?.rank ?? 0)
        : (then.scorecards.find(({ scorecard }) => scorecard === metric.scorecard)?.score ?? 0);
    const reachedOfGoal = Math.min(reached, neededFor(goal, levels)); // more than the goal needs is no nearer to it
    return { step: { ...metric, gain: own ? gain : null }, reached: reachedOfGoal, gain };
  }

  return ({ app, state }, goal, asOf) => {
    if ((state !== "left" && state !== "lost") || "no_open_problems" in goal) return null;
    const excluded = excludedOf(scorecards, app.exemptions, app.waivers);
    const [best] = metrics
      .flatMap((metric, index) => {
        const canRise = !excluded[index] && app.metricScores.at(index)?.score !== 100 && isOfGoal(metric, goal);
        return (canRise && raise(app, index, goal, asOf)) || [];
      })
      .sort((a, b) => b.reached - a.reached || b.gain - a.gain);
    return best?.step ?? null;
  };
}

/** Whether raising this metric can help to meet the goal. */
function isOfGoal({ scorecard, metric }: Pick<MemberStep, "scorecard" | "metric">, goal: CampaignGoal): boolean {
  if ("metric" in goal) return `${scorecard}.${metric}` === goal.metric;
  return "level" in goal || ("scorecard" in goal && scorecard === goal.scorecard);
}

/** The score or the rank that meets the goal. */
function neededFor(goal: CampaignGoal, levels: readonly Level[]): number {
  if ("level" in goal) return 1 + levels.findIndex(({ name }) => name === goal.level);
  return "min" in goal ? goal.min : 0;
}
