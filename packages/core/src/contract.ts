import { MaturityError } from "./errors.ts";
import type { AnyMetric, Input, Scorecard } from "./scorecard.ts";
import { isStorable } from "./storable.ts";

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
  if (scorecard.title !== undefined && !isText(scorecard.title)) refuse(name, "title must be a text, or left out");
  checkName(name, "dimension", scorecard.dimension);
  checkWeight(name, scorecard.weight);
  if (!isText(scorecard.package?.name) || !isText(scorecard.package.version)) {
    refuse(name, "package needs a name and a version");
  }
  for (const [member, text] of Object.entries({ name: scorecard.package.name, version: scorecard.package.version })) {
    if (!isStorable(text)) refuse(name, `package.${member} holds a NUL character or a lone surrogate`);
  }
  if (!Array.isArray(scorecard.metrics) || scorecard.metrics.length === 0) refuse(name, "has no metrics");
  const seen = new Set<string>();
  for (const [index, metric] of (scorecard.metrics as readonly AnyMetric[]).entries()) {
    const full = isText(metric?.name) ? `${name}.${metric.name}` : `${name}.metrics[${index}]`;
    checkMetric(full, metric);
    if (seen.has(metric.name)) refuse(full, "another metric of the scorecard already has this name");
    seen.add(metric.name);
  }
  for (const { name: own, deprecated } of scorecard.metrics) {
    if (deprecated === undefined || deprecated.includes(".")) continue;
    if (!seen.has(deprecated) || deprecated === own) {
      refuse(`${name}.${own}`, `deprecated names ${deprecated}, which is no other metric of the scorecard`);
    }
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
  const { inputs = {}, description, help, deprecated } = metric;
  if (!isObject(inputs)) refuse(owner, "inputs must be an object with an entry for each field");
  for (const [field, input] of Object.entries(inputs)) checkInput(`${owner}.inputs.${field}`, input as Input);
  if (description !== undefined && !isText(description)) refuse(owner, "description must be a text, or left out");
  if (help !== undefined && !(isText(help) && /^https?:\/\/[^\s/]/.test(help))) {
    refuse(owner, `help must be an address such as https://example.com/page; got ${show(help)}`);
  }
  if (
    deprecated !== undefined &&
    !(isText(deprecated) && /^[a-z][a-z0-9_]{0,62}(\.[a-z][a-z0-9_]{0,62})?$/.test(deprecated))
  ) {
    refuse(owner, `deprecated must name the metric that takes its place; got ${show(deprecated)}`);
  }
  if (metric.maxAgeHours !== undefined && !isAboveZero(metric.maxAgeHours)) {
    refuse(owner, `maxAgeHours must be a number above 0, or left out; got ${show(metric.maxAgeHours)}`);
  }
}

function checkInput(owner: string, input: Input): void {
  if (!isObject(input)) refuse(owner, "is not an object");
  const { label, unit, min, max, better, type, outOfRange } = input;
  for (const [member, text] of Object.entries({ label, outOfRange })) {
    if (text !== undefined && !isText(text)) refuse(owner, `${member} must be a text, or left out`);
  }
  const isPair = Array.isArray(unit) && unit.length === 2 && unit.every(isText);
  if (unit !== undefined && !isText(unit) && !isPair && typeof unit !== "function") {
    refuse(owner, 'unit must be a text, a pair such as ["server", "servers"], or a function');
  }
  for (const [member, bound] of Object.entries({ min, max })) {
    if (bound !== undefined && !Number.isFinite(bound)) refuse(owner, `${member} must be a number; got ${show(bound)}`);
  }
  if (min !== undefined && max !== undefined && min >= max)
    refuse(owner, `min must be below max; got ${min} and ${max}`);
  if (better !== undefined && better !== "lower" && better !== "higher") {
    refuse(owner, `better must be "lower" or "higher", or left out; got ${show(better)}`);
  }
  if (type !== undefined && !["number", "integer", "boolean"].includes(type)) {
    refuse(owner, `type must be "number", "integer" or "boolean"; got ${show(type)}`);
  }
}

const namePattern = /^[a-z][a-z0-9_]{0,62}$/;

function checkName(owner: string, member: string, value: unknown): void {
  if (typeof value !== "string" || !namePattern.test(value)) {
    const rule = "lower case letters, digits and underscores, a letter first, at most 63";
    refuse(owner, `${member} must be ${rule}; got ${show(value)}`);
  }
}

/** As in a scorecard file and a policy: sums of larger weights would leave the range of a double. */
const maxWeight = 1_000_000;

function checkWeight(owner: string, weight: unknown): void {
  if (isAboveZero(weight) && Number(weight) <= maxWeight) return;
  refuse(owner, `weight must be a number above 0, at most ${maxWeight}; got ${show(weight)}`);
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
