import type { AppLevel, DatedScore, Target } from "@maturity/core";
import { metricIds, rollUpInOrder } from "@maturity/core/wire";
import type { ScoreKey } from "../store/new-score.ts";
import { createLevelFinder } from "./app-levels.ts";
import { createExemptions, type Exemptions, excludedOf, type Judged } from "./exemptions.ts";
import { noProblems, type OpenProblems } from "./organisation.ts";
import { namesOf, targetId } from "./reported-apps.ts";
import type { RollUpRules } from "./rules.ts";
import type { ScoreWaiver } from "./waivers.ts";

/** The score and level of an application under some rules. */
export interface Standing {
  readonly score: number;
  /** Null if there are no levels. */
  readonly level: AppLevel | null;
  /** The metrics from which it is exempt, as `scorecard.metric`. */
  readonly exempt: readonly string[];
}

/** An application before and after a change of rules; undefined on a side without a score. */
export interface ComparedApp extends Target {
  readonly from: Standing | undefined;
  readonly to: Standing | undefined;
  /** The metrics from which it is exempt on each side, as `scorecard.metric`, with or without a score. */
  readonly exempt: { readonly from: readonly string[]; readonly to: readonly string[] };
}

/** A score of a metric before and after a change of rules. */
export interface ComparedScore extends ScoreKey {
  /** In milliseconds since 1970. */
  readonly reportedAt: number;
  readonly from: number;
  readonly to: number;
}

/** What the roll-up of applications needs beside their scores. */
export interface AppContext {
  /** The time at which staleness is judged. */
  readonly asOf: Date;
  /** Open problems, by the names of the application in one text. */
  readonly problems: ReadonlyMap<string, OpenProblems>;
  waiversOf(target: Target): readonly ScoreWaiver[];
  /** Undefined of an application that is not registered. */
  registrationOf(target: Target): Judged | undefined;
  /** The registration afterwards; the same if absent. */
  registrationAfter?(target: Target): Judged | undefined;
}

/** A metric of an application has three numbers: the time of its result, its score before, and its score after. */
const numbersEach = 3;
const [timeOffset, beforeOffset, afterOffset] = [0, 1, 2] as const;

/**
 * Compares the applications of an organisation under two sets of rules. It stores three numbers for each metric of an
 * application, so a large organisation takes little memory.
 */
export function createComparison(before: RollUpRules, after: RollUpRules) {
  const names = [...new Set([...metricIds(before.scorecards), ...metricIds(after.scorecards)])];
  const indexes = new Map(names.map((name, index) => [name, index]));
  const apps = new Map<string, Float64Array>();
  const finders = [
    createStandingFinder(before, metricIds(before.scorecards).map(indexOf), beforeOffset),
    createStandingFinder(after, metricIds(after.scorecards).map(indexOf), afterOffset),
  ] as const;

  function indexOf(name: string): number {
    return indexes.get(name) ?? -1;
  }

  return {
    /** Adds a score. Scores of metrics unknown to both sets of rules are ignored. */
    take({ area, team, app, env, scorecard, metric, reportedAt, from, to }: ComparedScore): void {
      const index = indexOf(`${scorecard}.${metric}`);
      if (index < 0) return;
      const id = targetId({ area, team, app, env });
      let numbers = apps.get(id);
      if (!numbers) {
        numbers = new Float64Array(names.length * numbersEach).fill(Number.NaN);
        apps.set(id, numbers);
      }
      numbers.set([reportedAt, from, to], index * numbersEach);
    },

    /** Compares the applications, in the order of the first score of each. */
    *compare({ asOf, problems, waiversOf, registrationOf, registrationAfter }: AppContext): Generator<ComparedApp> {
      const exemptions = [before, after].map((rules) => createExemptions(rules, asOf));
      for (const [id, numbers] of apps) {
        const { id: _, ...target } = namesOf(id);
        const facts = { asOf, problems: problems.get(id) ?? noProblems, waivers: waiversOf(target) };
        const registrations = [registrationOf(target), (registrationAfter ?? registrationOf)(target)];
        const [before, after] = exemptions.map((of, index) => of(target.env, registrations[index])) as [
          Exemptions,
          Exemptions,
        ];
        const from = finders[0](numbers, { ...facts, exemptions: before });
        const to = finders[1](numbers, { ...facts, exemptions: after });
        const exempt = { from: namesIn(before), to: namesIn(after) };
        if (from || to) yield { ...target, from, to, exempt };
      }
    },
  };
}

function namesIn({ metrics }: Exemptions): readonly string[] {
  return metrics === "" ? [] : metrics.split(" ");
}

interface Facts {
  readonly asOf: Date;
  readonly problems: OpenProblems;
  readonly waivers: readonly ScoreWaiver[];
  readonly exemptions: Exemptions;
}

/**
 * Creates the function that finds the standing of an application under one set of rules.
 *
 * @param metricIndexes for each metric of the rules, in their order, its index among all metrics
 * @param scoreOffset where the score stands among the numbers of a metric
 */
function createStandingFinder(
  { scorecards, levels }: RollUpRules,
  metricIndexes: readonly number[],
  scoreOffset: typeof beforeOffset | typeof afterOffset,
) {
  const levelOf = createLevelFinder({ scorecards }, levels);
  return (numbers: Float64Array, { asOf, problems, waivers, exemptions }: Facts): Standing | undefined => {
    const metricScores = metricIndexes.map((index): DatedScore | undefined => {
      const first = index * numbersEach;
      const { [first + timeOffset]: reported_at = Number.NaN, [first + scoreOffset]: score = Number.NaN } = numbers;
      return Number.isNaN(reported_at) ? undefined : { reported_at, score };
    });
    const excluded = excludedOf(scorecards, exemptions, waivers);
    const rolled = rollUpInOrder(scorecards, metricScores, asOf, excluded);
    if (!rolled) return undefined;
    const level = levelOf(rolled, problems, metricScores, excluded);
    return { score: rolled.score, level, exempt: namesIn(exemptions) };
  };
}
