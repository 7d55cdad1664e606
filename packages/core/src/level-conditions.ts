import type { AppScore } from "./roll-up.ts";
import { roundHalfUp } from "./rounding.ts";
import { type Severity, severities } from "./severity.ts";

/** A level, such as silver, with its conditions. An absent condition always holds. */
export interface Level {
  readonly name: string;
  /** The lowest score of the application, from 0 to 100. */
  readonly minScore?: number;
  /** The lowest share fresh of the application, from 0 to 1. */
  readonly minFresh?: number;
  /** The lowest scores of scorecards, by name. */
  readonly scorecards?: Readonly<Record<string, number>>;
  /** The lowest scores of metrics, by `scorecard.metric`. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** No problem of this severity or a graver severity may be open. */
  readonly noOpenProblems?: Severity;
  /** The largest share of the weight that may be waived, from 0 to 1. */
  readonly maxWaived?: number;
}

/** The facts of an application that levels need beside its roll-up. */
export interface LevelFacts {
  /** The score of each metric that reported and counts, by `scorecard.metric`. */
  readonly scores: Pick<ReadonlyMap<string, number>, "get">;
  /**
   * The metrics that do not count, being waived or exempt, as `scorecard.metric`, and the scorecards of which no metric
   * counts, by name.
   */
  readonly excluded: Pick<ReadonlySet<string>, "has">;
  /** Number of open problems, by severity. */
  readonly problems: Readonly<Record<Severity, number>>;
}

/** What levels need of the roll-up of an application. */
export type LevelledApp = Pick<AppScore, "score" | "fresh" | "waived" | "scorecards">;

/** A condition of a level that does not hold. */
export interface Unmet {
  readonly kind: "score" | "fresh" | "scorecard" | "metric" | "problems" | "waived";
  /** The scorecard, or the metric as `scorecard.metric`; null for a condition of another kind. */
  readonly name: string | null;
  /** The bound: a score, a share, or 0 problems. */
  readonly needs: number;
  /** The score or the share that there is, or how many problems are open; null if nothing was reported. */
  readonly has: number | null;
  /**
   * How far it is from the bound, from 0: the points of a score, the hundredths of a share, or the number of open problems. A
   * score that was never reported lacks the whole bound.
   */
  readonly missing: number;
  /** What it needs and what there is, as the end of a sentence: `needs score 70, has 66.5`. */
  readonly text: string;
}

/** The conditions of a level, in their order, as `unmetOf` words what they need. */
export function conditionsOf({
  minScore,
  minFresh,
  scorecards,
  metrics,
  noOpenProblems,
  maxWaived,
}: Level): readonly string[] {
  const minima = Object.entries({ ...scorecards, ...metrics });
  return [
    ...(minScore === undefined ? [] : [`score ${minScore}`]),
    ...(minFresh === undefined ? [] : [`share fresh ${percent(minFresh)}`]),
    ...minima.map(([name, minimum]) => `${name} ${minimum}`),
    ...(noOpenProblems === undefined ? [] : [`no open problem that is ${graveAs(noOpenProblems).join(" or ")}`]),
    ...(maxWaived === undefined ? [] : [`at most ${percent(maxWaived)} waived`]),
  ];
}

/** How far a score or a share may miss its bound: averages of the same numbers differ by less, in Prometheus and here. */
const tolerance = 1e-9;

/** The conditions of a level that do not hold, in their order. */
export function* unmetOf(
  { score, fresh, waived, scorecards }: LevelledApp,
  facts: LevelFacts,
  { minScore = 0, minFresh = 0, scorecards: cards = {}, metrics = {}, noOpenProblems, maxWaived = 1 }: Level,
): Generator<Unmet> {
  if (isBelow(score, minScore)) yield ofScore("score", null, "score", minScore, score);
  if (isBelow(fresh, minFresh)) {
    const text = `needs share fresh ${percent(minFresh)}, has ${below(fresh * 100, hundredfold(minFresh))} %`;
    yield { kind: "fresh", name: null, needs: minFresh, has: fresh, missing: (minFresh - fresh) * 100, text };
  }
  for (const [name, minimum] of Object.entries(cards)) {
    const card = scorecards.find(({ scorecard }) => scorecard === name);
    if (card && isBelow(card.score, minimum)) yield ofScore("scorecard", name, name, minimum, card.score);
    if (!card && !facts.excluded.has(name)) {
      yield neverReported("scorecard", name, minimum, `needs ${name} ${minimum}, has reported nothing of it`);
    }
  }
  for (const [name, minimum] of Object.entries(metrics)) {
    if (facts.excluded.has(name)) continue;
    const found = facts.scores.get(name);
    if (found === undefined) {
      yield neverReported("metric", name, minimum, `needs ${name} ${minimum}, has never reported it`);
    } else if (isBelow(found, minimum)) yield ofScore("metric", name, name, minimum, found);
  }
  const grave = graveAs(noOpenProblems);
  const open = grave.reduce((sum, severity) => sum + facts.problems[severity], 0);
  if (open > 0) {
    const text = `needs no open problem that is ${grave.join(" or ")}, has ${open}`;
    yield { kind: "problems", name: null, needs: 0, has: open, missing: open, text };
  }
  if (waived > maxWaived + tolerance) {
    const text = `needs at most ${percent(maxWaived)} waived, has ${above(waived * 100, hundredfold(maxWaived))} %`;
    yield { kind: "waived", name: null, needs: maxWaived, has: waived, missing: (waived - maxWaived) * 100, text };
  }
}

function ofScore(kind: Unmet["kind"], name: string | null, label: string, needs: number, has: number): Unmet {
  const text = `needs ${label} ${needs}, has ${below(has * 10, needs * 10) / 10}`;
  return { kind, name, needs, has, missing: needs - has, text };
}

function neverReported(kind: Unmet["kind"], name: string, needs: number, text: string): Unmet {
  return { kind, name, needs, has: null, missing: needs, text };
}

function isBelow(value: number, minimum: number): boolean {
  return value < minimum - tolerance;
}

/** A share from 0 to 1 in hundredths, without what a computer adds to a product. */
function hundredfold(share: number): number {
  return roundHalfUp(share * 100);
}

function percent(share: number): string {
  return `${hundredfold(share)} %`;
}

/** A whole number. What misses its bound by a hair is rounded down, so that it does not look as if it met it. */
function below(value: number, bound: number): number {
  const rounded = Math.round(value);
  return rounded < bound ? rounded : Math.floor(value);
}

/** Like `below`, of what exceeds its bound. */
function above(value: number, bound: number): number {
  const rounded = Math.round(value);
  return rounded > bound ? rounded : Math.ceil(value);
}

/** A severity and those that are graver; none without a severity. */
function graveAs(severity: Severity | undefined): readonly Severity[] {
  return severities.slice(0, severities.indexOf(severity as Severity) + 1);
}
