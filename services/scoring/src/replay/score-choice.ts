import type { Scorecard } from "@maturity/core";
import { OperatorError } from "../model/errors.ts";
import { namesOf } from "../policy/rules.ts";
import type { MetricName } from "../store/targets.ts";

/** The metrics that are scored again. */
export interface ScoreChoice {
  /** The chosen metrics of installed packages. */
  readonly installed: readonly MetricName[];
  /** Says whether a metric is chosen. If all are, metrics without an installed package are chosen too. */
  has(scorecard: string, metric: string): boolean;
}

/** The options that choose metrics; without them all are chosen. */
export interface MetricOptions {
  readonly scorecard?: readonly string[] | undefined;
  /** `dast` of any scorecard, or `security.dast`. */
  readonly metric?: readonly string[] | undefined;
}

/** @throws OperatorError if no installed package has a scorecard or metric: its replay would move and prove nothing */
export function chooseScores(scorecards: readonly Scorecard[], { scorecard, metric }: MetricOptions): ScoreChoice {
  const names = namesOf(scorecards);
  const all = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((one) => ({ scorecard: name, metric: one.name, id: `${name}.${one.name}` })),
  );
  const unknownIn = (wanted: readonly string[] | undefined, names: readonly string[]) =>
    wanted?.find((name) => !names.includes(name));
  refuseUnknown("scorecard", unknownIn(scorecard, names.scorecards), names.scorecards);
  refuseUnknown("metric", unknownIn(metric, [...names.metrics, ...all.map((one) => one.metric)]), names.metrics);
  const isChosen = (candidate: (typeof all)[number]) =>
    (scorecard?.includes(candidate.scorecard) ?? true) &&
    (metric?.some((name) => name === candidate.metric || name === candidate.id) ?? true);
  const chosen = all.filter(isChosen);
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const takesAll = scorecard === undefined && metric === undefined;
  return {
    installed: chosen.map(({ scorecard, metric }) => ({ scorecard, metric })),
    has: (scorecard, metric) => takesAll || chosenIds.has(`${scorecard}.${metric}`),
  };
}

function refuseUnknown(kind: string, unknown: string | undefined, known: readonly string[]): void {
  if (unknown === undefined) return;
  throw new OperatorError(`no installed package has a ${kind} ${unknown}; there are: ${known.join(", ") || "none"}`);
}
