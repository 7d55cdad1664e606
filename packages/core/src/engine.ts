import { type Fault, MaturityError } from "./errors.ts";
import type { Metric, Outcome, Reason, Scorecard } from "./scorecard.ts";

/** A score with all that answers "why?". */
export interface Score {
  /** From 0 to 100, two decimals, half up. */
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** The package that computed it: `@maturity/security@1.0.0`. */
  readonly scorer: string;
  /** The raw input as validated, fields unknown to the metric included. */
  readonly raw: object;
}

/** Scores raw results by the scorecards it was made of. */
export interface Engine {
  /** As handed in. */
  readonly scorecards: readonly Scorecard[];
  /**
   * Scores one raw result.
   *
   * @throws MaturityError `unknown-scorecard`, `unknown-metric`, `invalid-raw` or `scorer-failed`
   */
  score(scorecard: string, metric: string, raw: unknown): Score;
}

/**
 * Composes scorecards into an engine.
 *
 * @throws MaturityError `invalid-scorecard`, naming scorecard and metric, for a duplicate name, an unknown contract, a
 * weight that is not above 0, an empty scorecard, or a member that is missing or ill-typed
 */
export function createEngine(scorecards: readonly Scorecard[]): Engine {
  const byName = new Map<string, Map<string, Registered>>();
  for (const scorecard of scorecards) {
    checkContract(scorecard);
    if (byName.has(scorecard.name)) refuse(scorecard.name, "another scorecard already has this name");
    const scorer = `${scorecard.package.name}@${scorecard.package.version}`;
    byName.set(scorecard.name, new Map(scorecard.metrics.map((metric) => [metric.name, { metric, scorer }])));
  }
  return {
    scorecards,
    score(scorecardName, metricName, raw) {
      const metrics = byName.get(scorecardName);
      if (!metrics) throw unknown("unknown-scorecard", "scorecard", scorecardName, byName.keys());
      const registered = metrics.get(metricName);
      if (!registered) throw unknown("unknown-metric", `metric of ${scorecardName}`, metricName, metrics.keys());
      return scoreWith(registered, `${scorecardName}.${metricName}`, raw);
    },
  };
}

interface Registered {
  readonly metric: Metric;
  readonly scorer: string;
}

function scoreWith({ metric, scorer }: Registered, name: string, raw: unknown): Score {
  const failed = (problem: string, cause?: unknown) =>
    new MaturityError("scorer-failed", `${name} of ${scorer} ${problem}`, { cause });
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (cause) {
      throw failed(`threw while ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
  };
  if (!isObject(raw)) throw invalidRaw(name, [{ path: "raw", message: "raw must be an object" }]);
  const parsed = attempt("validating raw", () => metric.raw["~standard"].validate(raw));
  if (parsed instanceof Promise) {
    parsed.catch(() => {});
    throw failed("has an asynchronous validator; it must be synchronous");
  }
  if (parsed.issues) {
    throw invalidRaw(
      name,
      parsed.issues.map(({ path = [], message }) => ({ path: dotted(path), message })),
    );
  }
  const { score, reasons } = attempt("scoring", () => checkOutcome(metric.score(parsed.value)));
  if (!(score >= 0 && score <= 100)) throw failed(`returned ${score}, not a score from 0 to 100`);
  return { score: roundHalfUp(score), reasons, scorer, raw: { ...raw, ...parsed.value } };
}

function checkOutcome(outcome: Outcome): Outcome {
  if (typeof outcome?.score !== "number") throw new TypeError("it returned no { score, reasons }");
  if (!Array.isArray(outcome.reasons) || outcome.reasons.length === 0) throw new TypeError("it returned no reasons");
  return outcome;
}

/** Two decimals. The 1e-9 lets a value that is a half in decimals, such as 1.005, round up although its binary form lies below. */
function roundHalfUp(score: number): number {
  return Math.floor(score * 100 + 0.5 + 1e-9) / 100;
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
  const faults = details.map(({ path, message }) => (message.startsWith("raw ") ? message : `${path}: ${message}`));
  return new MaturityError("invalid-raw", `raw does not fit ${name}: ${faults.join("; ")}`, { details });
}

function unknown(
  code: "unknown-scorecard" | "unknown-metric",
  kind: string,
  name: string,
  known: Iterable<string>,
): MaturityError {
  const message = `there is no ${kind} named ${JSON.stringify(name)}; registered: ${[...known].join(", ")}`;
  return new MaturityError(code, message, { details: [{ path: code.slice("unknown-".length), message }] });
}

/**
 * Checks a scorecard against the contract, as `createEngine` does.
 *
 * @throws MaturityError `invalid-scorecard`
 */
export function checkContract(scorecard: Scorecard): void {
  const name =
    isObject(scorecard) && typeof scorecard.name === "string" ? scorecard.name : "(a scorecard without name)";
  if (!isObject(scorecard)) refuse(name, "is not an object");
  if (scorecard.contract !== 1) {
    refuse(name, `has contract ${String(scorecard.contract)}; this version of @maturity/core understands contract 1`);
  }
  checkName(name, "name", scorecard.name);
  checkName(name, "dimension", scorecard.dimension);
  checkWeight(name, scorecard.weight);
  if (typeof scorecard.package?.name !== "string" || typeof scorecard.package.version !== "string") {
    refuse(name, "package needs a name and a version");
  }
  if (!Array.isArray(scorecard.metrics) || scorecard.metrics.length === 0) refuse(name, "has no metrics");
  const seen = new Set<unknown>();
  for (const metric of scorecard.metrics) {
    const full = `${name}.${String(metric?.name)}`;
    if (!isObject(metric)) refuse(full, "is not an object");
    checkName(full, "name", metric.name);
    if (seen.has(metric.name)) refuse(full, "another metric of the scorecard already has this name");
    seen.add(metric.name);
    checkWeight(full, metric.weight);
    if (typeof metric.title !== "string" || metric.title === "") refuse(full, "title must be a text");
    const standard = metric.raw?.["~standard"];
    if (standard?.version !== 1 || typeof standard.validate !== "function") {
      refuse(full, "raw must be a Standard Schema (version 1): a joi, zod or valibot schema, for example");
    }
    if (typeof metric.score !== "function") refuse(full, "score must be a function");
  }
}

const namePattern = /^[a-z][a-z0-9_]{0,62}$/;

function checkName(owner: string, member: string, value: unknown): void {
  if (typeof value !== "string" || !namePattern.test(value)) {
    refuse(
      owner,
      `${member} must be lower case letters, digits and underscores, a letter first, at most 63; got ${JSON.stringify(value)}`,
    );
  }
}

function checkWeight(owner: string, weight: unknown): void {
  if (typeof weight !== "number" || !(weight > 0 && Number.isFinite(weight))) {
    refuse(owner, `weight must be a number above 0; got ${String(weight)}`);
  }
}

function refuse(owner: string, problem: string): never {
  throw new MaturityError("invalid-scorecard", `${owner}: ${problem}`);
}

function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
