import { nameFault, targetFields } from "@maturity/core/wire";
import Joi from "joi";
import { parseDuration } from "./duration.ts";
import { reductions } from "./query.ts";

type Scalar = string | number | boolean;

/** A collect file, as it is written. */
export interface CollectFile {
  readonly sources: Readonly<Record<string, SourceEntry>>;
  readonly target?: TargetEntry;
  readonly queries: readonly QueryEntry[];
}

export interface SourceEntry {
  readonly prometheus?: string;
  readonly postgres?: string;
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeout?: string;
}

export type TargetEntry = Readonly<Partial<Record<(typeof targetFields)[number], string>>>;

export interface QueryEntry {
  readonly name: string;
  readonly source: string;
  readonly query: string;
  readonly range?: {
    readonly last: string;
    readonly step: string;
    readonly reduce: (typeof reductions)[number];
    readonly min_points?: number;
  };
  readonly metric: string;
  readonly raw: Readonly<Record<string, Scalar>>;
  readonly target?: TargetEntry;
}

const messages: Joi.LanguageMessages = {
  "alternatives.match": "must be a number, true, false, or $ and the name of a label or column",
  "alternatives.types": "must be a number, true, false, or $ and the name of a label or column",
  "any.only": "must be one of {{#valids}}",
  "any.required": "is missing",
  "array.base": "must be a list",
  "array.min": "must have an entry",
  "array.unique": "has a name that another has",
  "number.base": "must be a number",
  "number.greater": "must be a number above {{#limit}}",
  "number.max": "must be at most {{#limit}}",
  "object.base": "must be a mapping",
  "object.min": "must have an entry",
  "object.missing": "needs prometheus or postgres, with the address of one",
  "object.unknown": "is not a setting",
  "object.xor": "cannot be prometheus and postgres at once",
  "object.and": "needs user and password, both or none",
  "object.without": "cannot have {{#peer}}",
  "string.base": "must be a text; put it between quotes",
  "string.empty": "must not be empty",
  "string.pattern.name": "must be {{#name}}",
  metric: "cannot be: {{#reason}}",
  name: "{{#reason}}",
  timeout: "must be at most 1h",
  duration: "must be a time such as 30s, 5m, 1h30m or 30d",
};

const duration = Joi.string().custom((text: string, helpers) =>
  parseDuration(text) === undefined ? helpers.error("duration") : text,
);
const longestTimeoutMs = 3_600_000;
const name = Joi.string().custom((text: string, helpers) => {
  const reason = nameFault(text);
  return reason === undefined ? text : helpers.error("name", { reason });
});

const source = Joi.object({
  prometheus: Joi.string(),
  postgres: Joi.string(),
  token: Joi.string(),
  user: Joi.string(),
  password: Joi.string(),
  headers: Joi.object().pattern(Joi.string(), Joi.string()),
  timeout: duration.custom((text: string, helpers) =>
    (parseDuration(text) ?? 0) > longestTimeoutMs ? helpers.error("timeout") : text,
  ),
})
  .xor("prometheus", "postgres")
  .and("user", "password")
  .without("token", "user")
  .without("postgres", ["token", "user", "password", "headers"]);

/** `$name`, or a constant; a variable of the environment is neither. */
const term = Joi.string().pattern(/^(?!\$\{|\$$)/, {
  name: "a constant, or $ and the name of a label or column; ${NAME} is filled in under sources only",
});

const target = Joi.object(Object.fromEntries(targetFields.map((field) => [field, term])));

const query = Joi.object({
  name: name.required(),
  source: Joi.string().required(),
  query: Joi.string().required(),
  range: Joi.object({
    last: duration.required(),
    step: duration.required(),
    reduce: Joi.valid(...reductions).required(),
    min_points: Joi.number().greater(0).max(1),
  }),
  raw: Joi.object()
    .pattern(Joi.string(), Joi.alternatives(term, Joi.number(), Joi.boolean()))
    .min(1)
    .required(),
  target,
});

/**
 * What a collect file may hold.
 *
 * @param requireMetric throws an error that says why a text names no metric
 */
export function fileSchema(requireMetric: (name: string) => unknown): Joi.ObjectSchema<CollectFile> {
  const metric = Joi.string().custom((text: string, helpers) => {
    try {
      requireMetric(text);
      return text;
    } catch (error) {
      return helpers.error("metric", { reason: (error as Error).message });
    }
  });
  const queries = Joi.array().items(query.keys({ metric: metric.required() }));
  return Joi.object({
    sources: Joi.object().pattern(Joi.string(), source).min(1).required(),
    target,
    queries: queries.min(1).unique("name").required(),
  })
    .required()
    .prefs({ abortEarly: false, convert: false, errors: { label: false }, messages });
}
