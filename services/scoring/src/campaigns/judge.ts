import type { WeighedScorecard } from "@maturity/core";
import { isExempt, metricIds } from "@maturity/core/wire";
import type { CampaignGoal } from "../model/campaign.ts";
import { type Excluded, excludedOf } from "../rollups/exemptions.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import type { GoalProblems } from "./goal-problems.ts";

/** How an application stands to the goal of a campaign. */
export interface Judged {
  /** A score, the name of a level, or a number of open problems; null if it has none. */
  readonly value: number | string | null;
  /** Orders the values, the worst first. */
  readonly rank: number;
  readonly state: "met" | "left" | "waived" | "exempt";
}

/** The rank of an application without a value. */
const unknown = -(2 ** 40);

/** A score may miss its bound by this much, as in levels: averages of the same numbers differ by less. */
const tolerance = 1e-9;

type Subject = App | UnscoredApp;

/**
 * Makes a function that judges applications by a goal.
 *
 * - For a metric: waived or exempt as that metric is.
 * - For a scorecard, and for a level, which is about all of them: only where none of its metrics counts. It is exempt where
 *   all of them are, and waived otherwise.
 * - For open problems: waived where a waiver covers each that is left, or the kind of problem that the goal names.
 *
 * @param problems of a goal about problems
 */
export function createJudge(
  goal: CampaignGoal,
  { scorecards, levels = [] }: OrganisationRules,
  problems?: GoalProblems,
): (app: Subject) => Judged {
  const names = metricIds(scorecards);
  if ("metric" in goal) {
    const index = names.indexOf(goal.metric);
    return judgeBy(scorecards, [index], (app) => byScore(app.metricScores[index]?.score, goal.min));
  }
  if ("scorecard" in goal) {
    const own = names.flatMap((name, index) => (name.startsWith(`${goal.scorecard}.`) ? [index] : []));
    return judgeBy(scorecards, own, (app) =>
      byScore(app.scorecards.find(({ scorecard }) => scorecard === goal.scorecard)?.score, goal.min),
    );
  }
  if ("level" in goal) {
    const index = levels.findIndex(({ name }) => name === goal.level);
    const needed = index === -1 ? Number.POSITIVE_INFINITY : index + 1;
    return judgeBy(scorecards, [...names.keys()], ({ level }) =>
      level === null
        ? { value: null, rank: unknown, isMet: false }
        : { value: level.name, rank: level.rank, isMet: level.rank >= needed },
    );
  }
  return (app) => judgeProblems(app, problems);
}

function byScore(score: number | undefined, min: number): Found {
  return score === undefined
    ? { value: null, rank: unknown, isMet: false }
    : { value: score, rank: score, isMet: score >= min - tolerance };
}

type Found = Pick<Judged, "value" | "rank"> & { readonly isMet: boolean };

/** @param indexes of the metrics that the goal is about, in the order of the scorecards and their metrics */
function judgeBy(
  scorecards: readonly WeighedScorecard[],
  indexes: readonly number[],
  find: (app: Subject) => Found,
): (app: Subject) => Judged {
  return (app) => {
    const { value, rank, isMet } = find(app);
    const excluded = excludedOf(scorecards, app.exemptions, app.waivers);
    return { value, rank, state: exclusionOf(excluded, indexes) ?? (isMet ? "met" : "left") };
  };
}

/** How the metrics are left out; undefined if one of them counts. */
function exclusionOf(excluded: Excluded, indexes: readonly number[]): "exempt" | "waived" | undefined {
  if (excluded.length === 0 || indexes.length === 0) return undefined;
  let exclusion: "exempt" | "waived" = "exempt";
  for (const index of indexes) {
    const by = excluded[index];
    if (!by) return undefined;
    if (!isExempt(by)) exclusion = "waived";
  }
  return exclusion;
}

function judgeProblems(app: Subject, problems: GoalProblems | undefined): Judged {
  if (app.env === null || !problems) return { value: null, rank: unknown, state: "left" };
  const found = problems(app as Subject & { readonly env: string });
  if (!found) return { value: null, rank: unknown, state: "left" };
  const { open, waived, isWaived } = found;
  const value = open + waived;
  return { value, rank: -value, state: isWaived ? "waived" : open > 0 ? "left" : "met" };
}
