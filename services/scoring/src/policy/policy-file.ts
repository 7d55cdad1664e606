import type { Scorecard } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import Joi from "joi";
import { name, withRule } from "../model/fields.ts";
import { noLevel } from "../model/level.ts";
import { mapping, nearName } from "../model/near-name.ts";
import { loadSettings, readSettings } from "../model/settings-file.ts";
import { appliesSchema, ruleFrom, type WrittenRule } from "./applies.ts";
import { applyPolicy, namesOf, noPolicy, type Policy, type Rules } from "./rules.ts";
import { weakerLevels } from "./weaker-levels.ts";
import { levelFrom, type WrittenLevel } from "./written-level.ts";

/** The largest number of levels in a policy. */
const maxLevels = 20;

/** The content of a policy file. */
interface PolicyFile {
  readonly weights?: Readonly<Record<"scorecards" | "metrics", Readonly<Record<string, number>> | undefined>>;
  readonly max_age_hours?: Readonly<Record<string, number | "never">>;
  readonly levels?: readonly WrittenLevel[];
  readonly applies?: readonly WrittenRule[];
}

const weight = Joi.number().greater(0).max(1_000_000);
const hoursFault = "must be a number of hours above 0, or never";
const hours = Joi.number()
  .greater(0)
  .max(876_000)
  .allow("never")
  .messages({ "number.base": hoursFault, "number.greater": hoursFault });
const score = Joi.number().min(0).max(100);
const share = Joi.number().min(0).max(1).messages({
  "number.max": "must be a share from 0 to 1, such as 0.75 for 75 %",
  "number.min": "must be a share from 0 to 1, such as 0.75 for 75 %",
});

function schemaOf(declared: readonly Scorecard[] | undefined): Joi.ObjectSchema {
  const { scorecards, metrics } = declared ? namesOf(declared) : {};
  const byScorecard = (value: Joi.Schema) => namedBy(scorecards, "scorecard", value);
  const byMetric = (value: Joi.Schema) => namedBy(metrics, "metric", value);
  const level = mapping({
    name: name(50).required().invalid(noLevel).insensitive(),
    min_score: score,
    min_fresh: share,
    scorecards: byScorecard(score).min(1),
    metrics: byMetric(score).min(1),
    no_open_problems: Joi.valid(...severities),
    max_waived: share,
  }).or("min_score", "min_fresh", "scorecards", "metrics", "no_open_problems", "max_waived");
  return mapping({
    weights: mapping({ scorecards: byScorecard(weight), metrics: byMetric(weight) }),
    max_age_hours: byMetric(hours),
    levels: Joi.array().items(level).max(maxLevels).unique(haveSameName),
    applies: appliesSchema(oneOf(metrics && scorecards && [...metrics, ...scorecards], "metric or scorecard")),
  });
}

const kind = "The policy";
const messages = {
  "any.invalid": `must not be ${noLevel}, which stands for no level`,
  "array.unique": "has the name of a level before it",
  "number.base": "must be a number",
  "number.infinity": "must be a number",
  "number.unsafe": "is too large",
  "number.greater": "must be above {{#limit}}",
  "number.max": "must be at most {{#limit}}",
  "number.min": "must be at least {{#limit}}",
  "object.missing": "has no condition",
};

/** Levels must differ by more than upper and lower case. */
function haveSameName(one: WrittenLevel, other: WrittenLevel): boolean {
  const [name, same] = [one?.name, other?.name];
  return typeof name === "string" && typeof same === "string" && name.toLowerCase() === same.toLowerCase();
}

/** The schema of a mapping whose keys are names of installed scorecards or metrics; any names where these are unknown. */
function namedBy(names: readonly string[] | undefined, kind: string, value: Joi.Schema): Joi.ObjectSchema {
  if (!names) return Joi.object().pattern(Joi.string(), value);
  const keys = Object.fromEntries(names.map((name) => [name, value]));
  return mapping(keys, (key) => unknownName(key, names, kind));
}

/** The schema of a name of an installed scorecard or metric; any name where these are unknown. */
function oneOf(names: readonly string[] | undefined, kind: string): Joi.Schema {
  return withRule(Joi.string(), (text: string) =>
    !names || names.includes(text) ? undefined : unknownName(text, names, kind),
  );
}

function unknownName(text: string, names: readonly string[], kind: string): string {
  const near = nearName(text, names);
  const hint = near ? `did you mean ${near}?` : `installed: ${names.join(", ") || "none"}`;
  return `is no installed ${kind}; ${hint}`;
}

/**
 * Reads a policy file and applies it to the scorecards.
 *
 * @param file the path; if undefined, the rules are those that the packages declare
 * @param declared the installed scorecards; if undefined, the file is checked but for the names of scorecards and metrics
 * @throws OperatorError if the file cannot be read, or with every fault of it
 */
export async function loadRules(file: string | undefined, declared?: readonly Scorecard[]): Promise<Rules> {
  const policy = file === undefined ? noPolicy : parsePolicy(await loadSettings(kind, file), file, declared);
  return applyPolicy(declared ?? [], policy);
}

/**
 * Parses a policy in YAML or JSON.
 *
 * @param file the path, for the error message
 * @param declared as for `loadRules`
 * @throws OperatorError listing every fault with its line
 */
export function parsePolicy(text: string, file: string, declared?: readonly Scorecard[]): Policy {
  const of = { kind, schema: schemaOf(declared), messages, mostUnread: Number.POSITIVE_INFINITY, faults: weakerLevels };
  return policyOf(readSettings<PolicyFile>(text, file, of));
}

function policyOf({
  weights = { scorecards: {}, metrics: {} },
  max_age_hours = {},
  levels,
  applies,
}: PolicyFile): Policy {
  const ages = Object.entries(max_age_hours).map(([name, hours]) => [name, hours === "never" ? null : hours] as const);
  return {
    weights: { ...weights.scorecards, ...weights.metrics },
    maxAgeHours: Object.fromEntries(ages),
    ...(levels && { levels: levels.map(levelFrom) }),
    ...(applies && { applies: applies.map(ruleFrom) }),
  };
}
