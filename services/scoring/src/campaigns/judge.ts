import { isExempt, metricIds } from "@maturity/core/wire";
import type { CampaignGoal } from "../model/campaign.ts";
import type { Excluded } from "../rollups/exemptions.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { type AppProblems, countProblems, type ProblemGoal } from "./goal-problems.ts";

/** What an application has of what a goal asks for. */
export interface Standing {
  /** A score, the name of a level, or a number of open problems; null if it has none. */
  readonly value: number | string | null;
  /** Orders the values, the worst first. */
  readonly rank: number;
}

/** How an application stands to a goal now. */
export type GoalState = "met" | "left" | "waived" | "exempt";

/** An application, and what all goals ask about it. */
export interface Judged {
  readonly app: Subject;
  readonly excluded: Excluded;
  /** Absent where no goal asks for it, and of one that has reported nothing. */
  readonly problems: AppProblems | undefined;
}

/** Judges applications by a goal. */
export interface Judge {
  stateOf(judged: Judged): GoalState;
  standingOf(judged: Judged): Standing;
}

type Subject = App | UnscoredApp;

/** The rank of an application without a value. */
const unknown = -(2 ** 40);

/** A score may miss its bound by this much, as in levels: averages of the same numbers differ by less. */
const tolerance = 1e-9;

/**
 * Makes what judges applications by a goal.
 *
 * - For a metric: waived or exempt as that metric is.
 * - For a scorecard, and for a level, which is about all of them: only where none of its metrics counts. It is exempt where
 *   all of them are, and waived otherwise.
 * - For open problems: waived where a waiver covers each that is left, or the kind of problem that the goal names.
 */
export function createJudge(goal: CampaignGoal, { scorecards, levels = [] }: OrganisationRules): Judge {
  const names = metricIds(scorecards);
  if ("metric" in goal) {
    const index = names.indexOf(goal.metric);
    return judgeBy([index], goal.min - tolerance, (app) => app.metricScores[index]?.score ?? unknown);
  }
  if ("scorecard" in goal) {
    const own = names.flatMap((name, index) => (name.startsWith(`${goal.scorecard}.`) ? [index] : []));
    return judgeBy(own, goal.min - tolerance, (app) => {
      for (const { scorecard, score } of app.scorecards) if (scorecard === goal.scorecard) return score;
      return unknown;
    });
  }
  if ("level" in goal) {
    const index = levels.findIndex(({ name }) => name === goal.level);
    const needed = index === -1 ? Number.POSITIVE_INFINITY : index + 1;
    const rankOf = ({ level }: Subject) => level?.rank ?? unknown;
    return judgeBy([...names.keys()], needed, rankOf, ({ level }) => level?.name ?? null);
  }
  return judgeByProblems(goal);
}

/**
 * @param indexes of the metrics that the goal is about, in the order of the scorecards and their metrics
 * @param needed the lowest rank that meets the goal
 */
function judgeBy(
  indexes: readonly number[],
  needed: number,
  rankOf: (app: Subject) => number,
  shownOf: (app: Subject) => Standing["value"] = rankOf,
): Judge {
  return {
    stateOf: ({ app, excluded }) => exclusionOf(excluded, indexes) ?? (rankOf(app) >= needed ? "met" : "left"),
    standingOf({ app }) {
      const rank = rankOf(app);
      return { value: rank === unknown ? null : shownOf(app), rank };
    },
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

function judgeByProblems(goal: ProblemGoal): Judge {
  return {
    stateOf({ problems }) {
      const counted = problems && countProblems(problems, goal);
      if (!counted) return "left";
      return counted.isWaived ? "waived" : counted.open > 0 ? "left" : "met";
    },
    standingOf({ problems }) {
      const counted = problems && countProblems(problems, goal);
      if (!counted) return { value: null, rank: unknown };
      const value = counted.open + counted.waived;
      return { value, rank: -value };
    },
  };
}
