import { MaturityError } from "./errors.ts";
import type { AnyMetric, Scorecard } from "./scorecard.ts";

/**
 * Checks a scorecard against the contract, member by member.
 *
 * @throws MaturityError `invalid-scorecard`, naming the scorecard, the metric and the member
 */
export function checkContract(scorecard: Scorecard): void {
  const name = isObject(scorecard) && isText(scorecard.name) ? scorecard.name : "(a scorecard without name)";
  if (!isObject(scorecard)) refuse(name, "is not an object");
  if (scorecard.contract !== 1) {
    refuse(name, `has contract ${show(scorecard.contract)}; this version of @maturity/core understands contract 1`);
  }
  checkName(name, "name", scorecard.name);
  checkName(name, "dimension", scorecard.dimension);
  checkWeight(name, scorecard.weight);
  if (!isText(scorecard.package?.name) || !isText(scorecard.package.version)) {
    refuse(name, "package needs a name and a version");
  }
  if (!Array.isArray(scorecard.metrics) || scorecard.metrics.length === 0) refuse(name, "has no metrics");
  const seen = new Set<string>();
  for (const [index, metric] of (scorecard.metrics as readonly AnyMetric[]).entries()) {
    const full = isText(metric?.name) ? `${name}.${metric.name}` : `${name}.metrics[${index}]`;
    checkMetric(full, metric);
    if (seen.has(metric.name)) refuse(full, "another metric of the scorecard already has this name");
    seen.add(metric.name);
  }
}

/** Ends with an error about the scorecard or metric named `owner`. */
export function refuse(owner: string, problem: string): never {
  throw new MaturityError("invalid-scorecard", `${owner}: ${problem}`);
}

export function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkMetric(owner: string, metric: AnyMetric): void {
  if (!isObject(metric)) refuse(owner, "is not an object");
  checkName(owner, "name", metric.name);
  checkWeight(owner, metric.weight);
  if (!isText(metric.title)) refuse(owner, "title must be a text");
  const standard = metric.raw?.["~standard"];
  if (standard?.version !== 1 || typeof standard.validate !== "function") {
    refuse(owner, "raw must be a Standard Schema (version 1): a joi, zod or valibot schema, for example");
  }
  if (typeof metric.score !== "function") refuse(owner, "score must be a function");
  const { better = {} } = metric;
  const isDirection = (value: unknown) => value === "lower" || value === "higher";
  if (!isObject(better) || !Object.values(better).every(isDirection)) {
    refuse(owner, 'better must give "lower" or "higher" for each field it names');
  }
  if (metric.maxAgeHours !== undefined && !isAboveZero(metric.maxAgeHours)) {
    refuse(owner, `maxAgeHours must be a number above 0, or left out; got ${show(metric.maxAgeHours)}`);
  }
}

const namePattern = /^[a-z][a-z0-9_]{0,62}$/;

function checkName(owner: string, member: string, value: unknown): void {
  if (typeof value !== "string" || !namePattern.test(value)) {
    const rule = "lower case letters, digits and underscores, a letter first, at most 63";
    refuse(owner, `${member} must be ${rule}; got ${show(value)}`);
  }
}

function checkWeight(owner: string, weight: unknown): void {
  if (!isAboveZero(weight)) refuse(owner, `weight must be a number above 0; got ${show(weight)}`);
}

function isAboveZero(value: unknown): boolean {
  return typeof value === "number" && value > 0 && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The value for a message, texts in quotes so that "1" differs from 1. */
function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
