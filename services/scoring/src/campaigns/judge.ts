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

/** An application, and what all goals ask about it. */
export interface Judged {
  readonly app: Subject;
  /** Of its marks. */
  readonly place: number;
  readonly excluded: Excluded;
  /** Absent where no goal asks for it, and of one that has reported nothing. */
  readonly problems: AppProblems | undefined;
}

/** So many applications are judged in one step. */
export const batch = 200;

/** What a goal finds of a batch, in its order. */
export interface Findings {
  /** What keeps it from counting; 0 if nothing does. */
  readonly exclusions: Uint8Array;
  readonly ranks: Float64Array;
}

/** The states of a member. `lost`: it met the goal once and does not now. */
export const memberStates = ["met", "left", "lost", "waived", "exempt"] as const;

export type MemberState = (typeof memberStates)[number];

/** States by their index, since every member of every campaign is counted. */
export const stateIndex: Readonly<Record<MemberState, number>> = { met: 0, left: 1, lost: 2, waived: 3, exempt: 4 };

/** Judges applications by a goal. */
export interface Judge {
  /** What the goal is about: judges with equal texts find the same. */
  readonly about: string;
  /** The lowest rank that meets the goal. */
  readonly needed: number;
  /** Of the applications that it was last asked for. */
  readonly findings: Findings;
  /** @param judged at most `batch` */
  find(judged: readonly Judged[]): void;
  shownOf(app: Subject, rank: number): Standing["value"];
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
    return judgeBy(goal.metric, [index], goal.min - tolerance, (app) => app.metricScores.at(index)?.score ?? unknown);
  }
  if ("scorecard" in goal) {
    const own = names.flatMap((name, index) => (name.startsWith(`${goal.scorecard}.`) ? [index] : []));
    return judgeBy(goal.scorecard, own, goal.min - tolerance, (app) => {
      for (const { scorecard, score } of app.scorecards) if (scorecard === goal.scorecard) return score;
      return unknown;
    });
  }
  if ("level" in goal) {
    const index = levels.findIndex(({ name }) => name === goal.level);
    const needed = index === -1 ? Number.POSITIVE_INFINITY : index + 1;
    const rankOf = ({ level }: Subject) => level?.rank ?? unknown;
    return judgeBy("", [...names.keys()], needed, rankOf, ({ level }) => level?.name ?? null);
  }
  return judgeByProblems(goal);
}

/**
 * @param indexes of the metrics that the goal is about, in the order of the scorecards and their metrics
 * @param needed the lowest rank that meets the goal
 */
function judgeBy(
  about: string,
  indexes: readonly number[],
  needed: number,
  rankOf: (app: Subject) => number,
  shownOf: Judge["shownOf"] = (_, rank) => (rank === unknown ? null : rank),
): Judge {
  const { exclusions, ranks } = createFindings();
  return {
    about,
    needed,
    findings: { exclusions, ranks },
    find(judged) {
      for (let at = 0; at < judged.length; at++) {
        const { app, excluded } = judged[at] as Judged;
        exclusions[at] = exclusionOf(excluded, indexes);
        ranks[at] = rankOf(app);
      }
    },
    shownOf,
  };
}

function createFindings(): Findings {
  return { exclusions: new Uint8Array(batch), ranks: new Float64Array(batch) };
}

/** How the metrics are left out; 0 if one of them counts. */
function exclusionOf(excluded: Excluded, indexes: readonly number[]): number {
  if (excluded.length === 0 || indexes.length === 0) return 0;
  let exclusion = stateIndex.exempt;
  for (const index of indexes) {
    const by = excluded[index];
    if (!by) return 0;
    if (!isExempt(by)) exclusion = stateIndex.waived;
  }
  return exclusion;
}

function judgeByProblems(goal: ProblemGoal): Judge {
  const { exclusions, ranks } = createFindings();
  return {
    about: JSON.stringify(goal),
    needed: 0,
    findings: { exclusions, ranks },
    find(judged) {
      for (let at = 0; at < judged.length; at++) {
        const { problems } = judged[at] as Judged;
        const counted = problems && countProblems(problems, goal);
        exclusions[at] = counted?.isWaived ? stateIndex.waived : 0;
        ranks[at] = counted ? -(counted.open + counted.waived) : unknown;
      }
    },
    shownOf: (_, rank) => (rank === unknown ? null : -rank),
  };
}
