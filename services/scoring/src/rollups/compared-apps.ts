import type { Target } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import type { ScoreKey } from "../store/new-score.ts";
import { createStandingFinder, type Standing } from "./app-levels.ts";
import { createExemptions, type Exemptions, type Judged } from "./exemptions.ts";
import { createNumberedScores, type NumberedScores } from "./metric-scores.ts";
import { noProblems, type OpenProblems } from "./organisation.ts";
import { namesOf, targetId } from "./reported-apps.ts";
import type { RollUpRules } from "./rules.ts";
import type { ScoreWaiver } from "./waivers.ts";

/** An application before and after a change of rules, with a score on one side at least. */
export interface ComparedApp extends Target {
  readonly from: Standing;
  readonly to: Standing;
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

/**
 * Compares the applications of an organisation under two sets of rules. It keeps their scores as numbers, so a large
 * organisation takes little memory.
 */
export function createComparison(before: RollUpRules, after: RollUpRules) {
  const sides = { from: createSide(before), to: createSide(after) };
  const apps = new Map<string, { readonly from: NumberedScores; readonly to: NumberedScores }>();

  return {
    /** Adds a score. Scores of metrics unknown to both sets of rules are ignored. */
    take({ area, team, app, env, scorecard, metric, reportedAt, from, to }: ComparedScore): void {
      const name = `${scorecard}.${metric}`;
      const [indexBefore, indexAfter] = [sides.from.indexes.get(name), sides.to.indexes.get(name)];
      if (indexBefore === undefined && indexAfter === undefined) return;
      const id = targetId({ area, team, app, env });
      let scores = apps.get(id);
      if (!scores) {
        scores = { from: sides.from.noScores(), to: sides.to.noScores() };
        apps.set(id, scores);
      }
      if (indexBefore !== undefined) scores.from.set(indexBefore, from, reportedAt);
      if (indexAfter !== undefined) scores.to.set(indexAfter, to, reportedAt);
    },

    /** Compares the applications, in the order of the first score of each. */
    *compare(context: AppContext): Generator<ComparedApp> {
      const { asOf, problems, waiversOf, registrationOf, registrationAfter = registrationOf } = context;
      const exemptions = { from: createExemptions(before, asOf), to: createExemptions(after, asOf) };
      for (const [id, scores] of apps) {
        const { id: _, ...target } = namesOf(id);
        const facts = { problems: problems.get(id) ?? noProblems, waivers: waiversOf(target) };
        const exemptBefore = exemptions.from(target.env, registrationOf(target));
        const exemptAfter = exemptions.to(target.env, registrationAfter(target));
        const from = sides.from.standingOf({ ...facts, exemptions: exemptBefore }, scores.from, asOf);
        const to = sides.to.standingOf({ ...facts, exemptions: exemptAfter }, scores.to, asOf);
        const exempt = { from: namesIn(exemptBefore), to: namesIn(exemptAfter) };
        if ((from.score ?? to.score) !== undefined) yield { ...target, from, to, exempt };
      }
    },
  };
}

/** One set of rules of a comparison. */
function createSide(rules: RollUpRules) {
  const indexes = new Map(metricIds(rules.scorecards).map((name, index) => [name, index]));
  return { indexes, noScores: createNumberedScores(indexes.size), standingOf: createStandingFinder(rules) };
}

function namesIn({ metrics }: Exemptions): readonly string[] {
  return metrics === "" ? [] : metrics.split(" ");
}
