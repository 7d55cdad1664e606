import type { AnySubmission, Client } from "@maturity/client";
import type { Engine, Reach, Reason, Target } from "@maturity/core";
import type { FoundProblem } from "@maturity/report-files/merge-group";
import { metricText } from "@maturity/report-files/metric-name";
import { type Ages, agesOf, agesText } from "./ages.ts";
import { type Conditions, type MetricMinimum, minimumOf } from "./conditions.ts";
import {
  type AppScores,
  appScoresWith,
  askStored,
  type Comparison,
  compare,
  type DatedResult,
  isLate,
  type Stored,
} from "./stored.ts";

export type { DatedResult };

/** A result with its score, and the engine that computed it. */
export interface Scored extends DatedResult {
  readonly score: number;
  readonly reasons: readonly Reason[];
  readonly scorer: string;
  readonly engine: Engine;
}

/** A score, with what a gate found about it. */
export interface JudgedScore extends Scored {
  /** The lowest score that passes. */
  readonly min?: number | undefined;
  /** What would reach the minimum, where the score is below it. */
  readonly reach?: Reach | undefined;
  /** Only where the service was asked what is stored, and there is a score. */
  readonly comparison?: Comparison | undefined;
  /** Whether a later result is stored, so that this one changes no score. */
  readonly isLate: boolean;
}

/** What a gate asked for, and whether it holds. */
export interface Verdict {
  readonly text: string;
  readonly met: boolean;
}

/** What a gate found. */
export interface Judgement {
  readonly conditions: Conditions;
  readonly scores: readonly JudgedScore[];
  readonly verdicts: readonly Verdict[];
  readonly isMet: boolean;
  /** Only where the service was asked what is stored. */
  readonly app: AppScores | undefined;
  /** Only with a greatest age for the reports. */
  readonly ages: Ages | undefined;
  /** The types of problems that were found and are not open. */
  readonly newProblems: readonly string[];
  /** Only where the service was asked what is stored. */
  readonly stored: Stored | undefined;
}

/** Whether a condition is about what the service has stored. */
export function asksService({ maxDrop, appMin, noNewProblems }: Conditions): boolean {
  return maxDrop !== undefined || appMin !== undefined || noNewProblems;
}

/**
 * Compares the scores of results, and the problems that reports found, with the conditions of a gate.
 *
 * @param now milliseconds since 1970
 * @param service to ask what is stored. If no condition is about that, it may fail to answer
 */
export async function judge(
  conditions: Conditions,
  scored: readonly Scored[],
  problems: readonly FoundProblem[],
  now: number,
  service: { readonly client: Client<AnySubmission>; readonly target: Target } | undefined,
): Promise<Judgement> {
  const { findReach } = await import("@maturity/core");
  const stored = service && (await askStored(service.client, service.target).catch(unless(asksService(conditions))));
  const newProblems = stored && service ? await newProblemsOf(problems, stored.target, service.client) : [];
  const scores = scored.map((one): JudgedScore => {
    const { engine, scorecard, metric, raw, score } = one;
    const min = minimumOf(conditions, one);
    return {
      ...one,
      min,
      reach: min === undefined || score >= min ? undefined : findReach(engine, scorecard, metric, raw, min),
      comparison: stored && compare(one, engine, stored),
      isLate: stored !== undefined && isLate(one, stored),
    };
  });
  const counting = scores.filter(({ isLate }) => !isLate);
  const app = stored && (await appScoresWith(counting, stored).catch(unless(conditions.appMin !== undefined)));
  const readings = [...scored, ...problems].flatMap(({ reading }) => reading ?? []);
  const ages = conditions.maxAge && agesOf(readings, conditions.maxAge, now);
  const verdicts = verdictsOf(conditions, scores, { app, ages, newProblems });
  return { conditions, scores, verdicts, isMet: verdicts.every(({ met }) => met), app, ages, newProblems, stored };
}

/** What becomes of an error: it is thrown where the answer is needed, and else there is no answer. */
function unless(isNeeded: boolean): (error: unknown) => undefined {
  return (error) => {
    if (isNeeded) throw error;
  };
}

async function newProblemsOf(
  problems: readonly FoundProblem[],
  target: Target,
  client: Client<AnySubmission>,
): Promise<string[]> {
  const found = problems.filter(({ found: { count } }) => count > 0).map(({ found }) => found.problem_type);
  if (found.length === 0) return [];
  const open = new Set((await client.problems(target).toArray()).map(({ problem_type: type }) => type));
  return found.filter((type) => !open.has(type));
}

/** The verdicts of a gate, one for each condition. */
function verdictsOf(
  { min, metrics, maxDrop, appMin, noNewProblems }: Conditions,
  scores: readonly JudgedScore[],
  { app, ages, newProblems }: Pick<Judgement, "app" | "ages" | "newProblems">,
): Verdict[] {
  // Without a score no condition about scores holds.
  const ofAll = (text: string, of: readonly JudgedScore[], holds: (score: JudgedScore) => boolean): Verdict =>
    scores.length > 0 ? { text, met: of.every(holds) } : { text: `${text}, and no report feeds a metric`, met: false };
  const isOf = (own: MetricMinimum) => (score: JudgedScore) =>
    own.scorecard === score.scorecard && own.metric === score.metric;
  const others = scores.filter((score) => !metrics.some((own) => isOf(own)(score)));
  return [
    ...(min === undefined ? [] : [ofAll(`at least ${min}`, others, ({ score }) => score >= min)]),
    ...metrics.map((own) => {
      const score = scores.find(isOf(own));
      const missing = score ? "" : ", and no report feeds it";
      return { text: `${metricText(own)} at least ${own.min}${missing}`, met: (score?.score ?? -1) >= own.min };
    }),
    ...(ages ? [{ text: agesText(ages), met: ages.tooOld.length === 0 }] : []),
    ...(maxDrop === undefined
      ? []
      : [ofAll(dropText(maxDrop), scores, ({ comparison }) => (comparison?.change ?? 0) >= -maxDrop)]),
    // Averages of the same numbers may differ in the last digit.
    ...(appMin === undefined
      ? []
      : [{ text: `application at least ${appMin}`, met: (app?.after ?? -1) >= appMin - 1e-9 }]),
    ...(noNewProblems ? [{ text: problemsText(newProblems), met: newProblems.length === 0 }] : []),
  ];
}

function dropText(maxDrop: number): string {
  return maxDrop === 0 ? "no worse than stored" : `at most ${maxDrop} below what is stored`;
}

function problemsText(types: readonly string[]): string {
  return types.length === 0 ? "no new problems" : `no new problems, but there is ${types.join(", ")}`;
}
