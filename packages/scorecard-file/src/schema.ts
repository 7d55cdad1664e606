import { nameFault } from "@maturity/core/wire";
import type { YamlPath } from "@maturity/yaml";
import { mapping, wordUnknownKeys } from "@maturity/yaml/mapping";
import Joi from "joi";

/** Most metrics of a file, points of a curve, curves of a `lowest_of`, cases of a metric. */
const maxEntries = 100;
/** Largest size of a number of an input: far above what tools send, and small enough that numbers beside it differ. */
const maxSize = 1e12;

const nameRule = "must be lower case letters, digits and underscores, a letter first, at most 63";
const fieldRule = "must be letters, digits and underscores, no digit first, at most 63";
const fieldPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** A text that fits a line: printable, without a space at either end. */
function line(maximum: number): Joi.StringSchema {
  return Joi.string()
    .max(maximum)
    .custom((text: string, helpers) => {
      const reason = nameFault(text, maximum);
      return reason === undefined ? text : helpers.error("fault", { reason });
    });
}

function refuseControls(text: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  if (text.trim() === "") return helpers.error("string.empty");
  return /(?!\n)\p{Cc}/u.test(text) ? helpers.error("fault", { reason: "must not hold control characters" }) : text;
}

/** A text behind which a sentence goes on or ends. */
const words = line(200).pattern(/[^.]$/).messages({
  "string.pattern.base": "must not end with a full stop: it is a part of a sentence",
});

const name = Joi.string()
  .pattern(/^[a-z][a-z0-9_]{0,62}$/)
  .messages({ "string.base": nameRule, "string.empty": nameRule, "string.pattern.base": nameRule });

const field = Joi.string()
  .pattern(fieldPattern)
  .messages({ "string.base": fieldRule, "string.empty": fieldRule, "string.pattern.base": fieldRule });

const size = Joi.number().min(-maxSize).max(maxSize);
const weight = Joi.number().greater(0).max(1_000_000);

/** A mapping whose keys are fields of `raw`. */
function byField(value: Joi.Schema): Joi.ObjectSchema {
  const fields = Joi.object().pattern(fieldPattern, value).min(1).max(maxEntries);
  return wordUnknownKeys(fields, () => `is no name of a field, which ${fieldRule}`);
}

function list(item: Joi.Schema): Joi.ArraySchema {
  return Joi.array().items(item).min(1).max(maxEntries);
}

const input = mapping({
  label: line(200).description(
    "The subject of a sentence, in the singular: the time to recover. Default: the name of the field.",
  ),
  unit: Joi.alternatives(words, Joi.array().ordered(words.required(), words.required()))
    .description("What stands behind a number: %. What is counted: [idle resource, idle resources].")
    .messages({ "alternatives.types": "must be a text, or a pair such as [server, servers]" }),
  min: size.description("The lowest value that is taken."),
  max: size.description("The highest value that is taken."),
});

const points = mapping({
  field: field.required().description("The field of raw that is scored."),
  points: Joi.array()
    .items(
      Joi.array()
        .ordered(size.required(), Joi.number().min(0).max(100).required())
        .messages({ "array.base": pair("must be a pair"), "array.includesRequiredUnknowns": pair("must be a pair") })
        .messages({ "array.orderedLength": pair("must be a pair"), "any.required": pair("is missing") }),
    )
    .min(2)
    .max(maxEntries)
    .required()
    .description("Pairs of an input and its score, by rising input. Outside of them the score stays.")
    .messages({ "array.min": "must have at least two points" }),
});

function pair(problem: string): string {
  return `${problem} of an input and its score, such as [100, 80]`;
}

/** The curves that are no `lowest_of`. */
const plainCurves = {
  piecewise: points.description("Straight lines between points."),
  log_piecewise: points.description("The same over the logarithm of the input, for durations and the like."),
  halving: byField(Joi.number().greater(0).max(maxSize)).description(
    "Under each counted field how many of it halve the score.",
  ),
  pass_fail: mapping({
    field: field.required().description("The flag in raw that is scored."),
    passes: Joi.boolean().description("The value that scores 100; the other one scores 0. Default: true."),
    pass: words.description("A clause that says what is so when it passes: backups are on."),
    fail: words.description("A clause that says what is so when it fails: backups are off."),
  }).description("A flag that scores 100 or 0."),
};

const kinds = Object.keys(plainCurves).join(", ");

/** A mapping with exactly one curve. */
function oneOf(curves: Joi.PartialSchemaMap, more: string): Joi.ObjectSchema {
  return mapping(curves, (key, names) =>
    key === "lowest_of"
      ? "is inside another lowest_of; list its curves in that"
      : `is no curve; there are ${names.join(", ")}`,
  )
    .length(1)
    .messages({ "object.length": `must have exactly one of ${kinds}${more}` });
}

const curve = oneOf(
  {
    ...plainCurves,
    lowest_of: list(oneOf(plainCurves, "")).description("The lowest of several curves counts."),
  },
  ", lowest_of",
).description("Maps the inputs to a score from 0 to 100.");

const metric = mapping({
  name: name.required().description("Unique in the scorecard: idle_resources."),
  title: line(200).required().description("What it measures, in a few words."),
  weight: weight.description("Relative to the other metrics of the scorecard. Default: 1."),
  max_age_hours: Joi.number()
    .greater(0)
    .max(876_000)
    .description("How old a result may be: up to this age it is fresh, up to twice this age late. Without it never."),
  description: Joi.string()
    .max(2_000)
    .custom(refuseControls)
    .description("What it measures and why, in a few sentences."),
  help: line(2_000)
    .pattern(/^https?:\/\/[^\s/]\S*$/)
    .description("The address of a page that says how to improve.")
    .messages({ "string.pattern.base": "must be an address such as https://example.com/page" }),
  inputs: byField(input).description("The inputs by their fields in raw, with their words and ranges."),
  curve: curve.required(),
  cases: list(
    mapping({
      raw: Joi.object().required().description("A result, with a value for each input."),
      score: Joi.number().min(0).max(100).precision(2).required().description("The score that it must get."),
    }),
  )
    .required()
    .description("Results with the scores that they must get. They are tried whenever the file is read."),
});

const schema = mapping({
  contract: Joi.valid(1).required().description("The version of this format: 1.").messages({ "any.only": "must be 1" }),
  name: name.required().description("Unique in the service: cost."),
  title: line(200).description("What it is called where people read it, in a word or two. Default: the name."),
  version: Joi.string()
    .max(50)
    .pattern(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/)
    .required()
    .description("The version of the rules, in quotes: 1.0.0. It is recorded with every score.")
    .messages({ "string.base": versionRule(), "string.empty": versionRule(), "string.pattern.base": versionRule() }),
  dimension: name
    .required()
    .description("The stage of the software's life that it measures: build, ship, run, or a word of your own."),
  weight: weight.required().description("Relative to the other scorecards."),
  metrics: list(metric).required().description("In the order in which they are shown."),
});

function versionRule(): string {
  return 'must be a version in quotes, such as "1.0.0"';
}

const preferences = {
  abortEarly: false,
  convert: false,
  errors: { label: false },
  messages: {
    fault: "{{#reason}}",
    "any.required": "is required",
    "array.base": "must be a list",
    "array.max": `must have at most ${maxEntries} entries`,
    "array.min": "must have an entry",
    "boolean.base": "must be true or false",
    "number.base": "must be a number",
    "number.infinity": "must be a number",
    "number.unsafe": "is too large",
    "number.greater": "must be above {{#limit}}",
    "number.max": "must be at most {{#limit}}",
    "number.min": "must be at least {{#limit}}",
    "number.precision": "must have at most two decimals",
    "object.base": "must be a mapping",
    "object.max": `must have at most ${maxEntries} entries`,
    "object.min": "must have an entry",
    "string.base": "must be a text",
    "string.empty": "must not be empty",
    "string.max": "must have at most {{#limit}} characters",
  },
} as const satisfies Joi.ValidationOptions;

/** The lists and mappings with more entries than any of this format has, in which there could be faults without end. */
function tooLong(value: unknown, path: YamlPath): readonly YamlPath[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  if (entries.length > maxEntries) return [path];
  return entries.flatMap(([key, inner]) => tooLong(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

/** What does not fit the form of a scorecard file, each with its path. What is too long is not looked into. */
export function formFaults(value: unknown): readonly Pick<Joi.ValidationErrorItem, "path" | "message">[] {
  const long = tooLong(value, []);
  if (long.length > 0) return long.map((path) => ({ path: [...path], message: preferences.messages["array.max"] }));
  return schema.validate(value, preferences).error?.details ?? [];
}

/** The form of a scorecard file as JSON Schema (draft 7, which every editor knows), to complete and check one. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const described = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  // Of a list with a fixed length the drafts differ.
  const known = JSON.stringify(described)
    .replaceAll('"prefixItems":', '"items":')
    .replaceAll('"unevaluatedItems":', '"additionalItems":');
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A scorecard of Maturity",
    ...JSON.parse(known),
  };
}
