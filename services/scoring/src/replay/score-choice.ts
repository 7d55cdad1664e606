import type { Scorecard } from "@maturity/core";
import { OperatorError } from "../model/errors.ts";
import { namesOf } from "../policy/rules.ts";
import type { ScoreKey } from "../store/scores.ts";

/** The metrics that are scored again. */
export interface ScoreChoice {
  /** Those of them that an installed package has. */
  readonly installed: readonly Pick<ScoreKey, "scorecard" | "metric">[];
  isInstalled(scorecard: string, metric: string): boolean;
  has(scorecard: string, metric: string): boolean;
}

/** What is asked for; all if absent. */
export interface AskedMetrics {
  readonly scorecard?: readonly string[] | undefined;
  /** `dast` of any scorecard, or `security.dast`. */
  readonly metric?: readonly string[] | undefined;
}

/** @throws OperatorError if something is asked for that no installed package has: nothing would move, and prove nothing */
export function chooseScores(scorecards: readonly Scorecard[], { scorecard, metric }: AskedMetrics): ScoreChoice {
  const { metrics } = namesOf(scorecards);
  const all = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((one) => ({ scorecard: name, metric: one.name, id: `${name}.${one.name}` })),
  );
  const lacks = (asked: readonly string[] | undefined, names: readonly string[]) =>
    asked?.find((name) => !names.includes(name));
  const cards = scorecards.map(({ name }) => name);
  requireKnown("scorecard", lacks(scorecard, cards), cards);
  requireKnown("metric", lacks(metric, [...metrics, ...all.map((one) => one.metric)]), metrics);
  const isAsked = (one: (typeof all)[number]) =>
    (scorecard?.includes(one.scorecard) ?? true) &&
    (metric?.some((name) => name === one.metric || name === one.id) ?? true);
  const installed = new Set(all.map(({ id }) => id));
  const asked = all.filter(isAsked);
  const chosen = new Set(asked.map(({ id }) => id));
  const takesAll = scorecard === undefined && metric === undefined;
  return {
    installed: asked.map(({ scorecard, metric }) => ({ scorecard, metric })),
    isInstalled: (scorecard, metric) => installed.has(`${scorecard}.${metric}`),
    has: (scorecard, metric) => takesAll || chosen.has(`${scorecard}.${metric}`),
  };
}

function requireKnown(what: string, unknown: string | undefined, known: readonly string[]): void {
  if (unknown === undefined) return;
  throw new OperatorError(`no installed package has a ${what} ${unknown}; there are: ${known.join(", ") || "none"}`);
}
