import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkContract, isObject, refuse } from "./contract.ts";
import { cut, type Fault, MaturityError, maxFaults, summaryOf } from "./errors.ts";
import { copyOf, plainOf } from "./json.ts";
import { isPromise } from "./promise.ts";
import { roundHalfUp } from "./rounding.ts";
import type { AnyMetric, Metric, Outcome, Reason, Scorecard } from "./scorecard.ts";

/** A score with its reasons and its scorer. */
export interface Score {
  /** From 0 to 100, two decimals, half up. */
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** The package that computed it: `@maturity/security@1.0.0`. */
  readonly scorer: string;
}

/**
 * Scores results by its scorecards. If the types of those have their names and metrics, only these and
 * what they score are taken; an `Engine` without type argument takes any name and any result, such as those of a request, and
 * says at run time.
 */
export interface Engine<Card extends Scorecard = Scorecard> {
  /** Its scorecards, in the given order. */
  readonly scorecards: readonly Card[];
  /**
   * Scores one result.
   *
   * @throws MaturityError `unknown-scorecard`, `unknown-metric`, `invalid-raw` or `scorer-failed`
   */
  score<Name extends Card["name"], MetricName extends MetricNameOf<Card, Name>>(
    scorecard: Name,
    metric: MetricName,
    raw: RawOf<Card, Name, MetricName>,
  ): Score;
}

/** The metrics of the scorecards that can have this name. */
type MetricOf<Card extends Scorecard, Name extends string> =
  Card extends Scorecard<infer Known, infer One> ? (Name extends Known ? One : never) : never;

/** The names of the metrics of the scorecards that can have this name. */
export type MetricNameOf<Card extends Scorecard, Name extends string> = MetricOf<Card, Name>["name"];

/** What a metric scores: what its validator lets pass, or anything where its type does not say. */
export type RawOf<Card extends Scorecard, Name extends string, MetricName extends string> = RawOfMetric<
  MetricOf<Card, Name>,
  MetricName
>;

type RawOfMetric<One extends AnyMetric, MetricName extends string> = One extends AnyMetric
  ? string extends One["name"]
    ? unknown
    : One["name"] extends MetricName
      ? One extends Metric<infer Raw>
        ? Raw
        : unknown
      : never
  : never;

/**
 * Composes scorecards into an engine. Their scorers get a copy of each result, so that they cannot change it.
 *
 * @throws MaturityError `invalid-scorecard`, naming scorecard and metric, for a duplicate name, an unknown contract, a
 * weight that is not above 0 or is above 1,000,000, an empty scorecard, or a member that is missing or ill-typed
 */
export function createEngine<const Card extends Scorecard>(scorecards: readonly Card[]): Engine<Card> {
  return compose(scorecards, copyOf);
}

/** The scorer of a scorecard, as results name it: its package with the version. */
export function scorerOf({ package: { name, version } }: Pick<Scorecard, "package">): string {
  return `${name}@${version}`;
}

/** Composes scorecards into an engine whose scorers get what `handed` makes of each result. */
export function compose<const Card extends Scorecard>(
  scorecards: readonly Card[],
  handed: (raw: object) => object,
): Engine<Card> {
  const byName = new Map<string, Map<string, Registered>>();
  const scorers = new Map<string, string>();
  for (const scorecard of scorecards) {
    checkContract(scorecard);
    const { name } = scorecard;
    const scorer = scorerOf(scorecard);
    const other = scorers.get(name);
    if (other) refuse(name, `${scorer} and ${other} both define a scorecard of this name`);
    scorers.set(name, scorer);
    byName.set(name, new Map(scorecard.metrics.map((metric) => [metric.name, register(name, metric, scorer)])));
  }
  return {
    scorecards: [...scorecards],
    score(scorecardName, metricName, raw) {
      const metrics = byName.get(scorecardName);
      if (!metrics) throw unknown("unknown-scorecard", "scorecard", scorecardName, byName.keys());
      const found = metrics.get(metricName);
      if (!found) throw unknown("unknown-metric", `metric of ${scorecardName}`, metricName, metrics.keys());
      return scoreWith(found, raw, handed);
    },
  };
}

interface Registered {
  /** `security.image_scan` */
  readonly name: string;
  readonly metric: AnyMetric;
  readonly schema: AnyMetric["raw"]["~standard"];
  readonly scorer: string;
}

/** Reads `~standard` once: joi makes a new one at every access. */
function register(scorecard: string, metric: AnyMetric, scorer: string): Registered {
  return { name: `${scorecard}.${metric.name}`, metric, schema: metric.raw["~standard"], scorer };
}

function scoreWith({ name, metric, schema, scorer }: Registered, raw: unknown, handed: (raw: object) => object): Score {
  const failed = (problem: string, cause?: unknown) =>
    new MaturityError("scorer-failed", `${name} of ${scorer} ${problem}`, { cause });
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (cause) {
      throw failed(`threw while ${what}`, cause); // the cause can hold anything, so it stays out of the message
    }
  };
  if (!isObject(raw)) throw invalidRaw(name, [{ path: "raw", message: "must be an object" }]);
  let given: object;
  try {
    given = handed(raw);
  } catch {
    throw invalidRaw(name, [{ path: "raw", message: "nests too deep, or holds itself" }]);
  }
  const parsed = attempt("validating raw", () => schema.validate(given));
  if (isPromise(parsed)) throw failed("has an asynchronous validator; it must be synchronous");
  if (parsed?.issues) {
    const { issues } = parsed;
    throw invalidRaw(
      name,
      attempt("validating raw", () => faultsOf(issues)),
    );
  }
  const value = parsed?.value;
  if (!isObject(value)) throw failed("has a validator that returned no object");
  // `never`, since only the metric itself knows what its validator lets pass.
  const outcome = attempt("scoring", () => outcomeOf(metric.score(value as never)));
  if (typeof outcome === "string") throw failed(outcome);
  return { score: roundHalfUp(outcome.score), reasons: outcome.reasons, scorer };
}

const asynchronous = "has an asynchronous function; it must be synchronous";

/** What a function returned, each part of it read once, or else its fault. */
function outcomeOf(returned: Outcome): Outcome | string {
  if (isPromise(returned)) return asynchronous;
  if (!isObject(returned)) return "returned no { score, reasons }";
  const { score, reasons: given } = returned;
  if ([score, given].filter((part) => isPromise<unknown>(part)).length > 0) return asynchronous;
  if (typeof score !== "number" || !(score >= 0 && score <= 100)) {
    return `returned ${cut(typeof score === "string" ? JSON.stringify(score) : String(score))}, not a score from 0 to 100`;
  }
  if (!Array.isArray(given)) return "returned no reasons";
  const { plain, fault } = plainOf(given);
  if (fault) return `returned reasons that hold ${fault}; they must be JSON, within the bounds of the type Reason`;
  const reasons = plain as readonly Reason[];
  if (!Array.isArray(reasons) || reasons.length === 0) return "returned no reasons";
  const isReason = (reason: Reason) => typeof reason?.field === "string" && typeof reason.text === "string";
  return reasons.every(isReason) ? { score, reasons } : "returned a reason without field or text";
}

function faultsOf(issues: readonly StandardSchemaV1.Issue[]): Fault[] {
  return issues.slice(0, maxFaults).map(({ path = [], message }) => ({ path: dotted(path), message: String(message) }));
}

function dotted(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  let text = "raw";
  for (const segment of path) {
    const key = typeof segment === "object" ? segment.key : segment;
    text += typeof key === "number" ? `[${key}]` : `.${String(key)}`;
  }
  return text;
}

function invalidRaw(name: string, details: readonly Fault[]): MaturityError {
  return new MaturityError("invalid-raw", `raw does not fit ${name}: ${summaryOf(details, ": ")}`, { details });
}

function unknown(
  code: "unknown-scorecard" | "unknown-metric",
  kind: string,
  name: string,
  known: Iterable<string>,
): MaturityError {
  const installed = [...known].join(", ") || "none";
  const message = `there is no ${kind} named ${JSON.stringify(name)}; installed: ${installed}`;
  return new MaturityError(code, message, { details: [{ path: code.slice("unknown-".length), message }] });
}
