import Joi from "joi";
import { invalidPayload } from "../model/errors.ts";
import { faults, name, strict } from "../model/fields.ts";
import type { NameFilter } from "../model/target-filter.ts";

/** Largest number of values in all parameters together. */
const maxValues = 500;

/** Refuses too many values before joi checks them, because joi checks a list to its end. */
function limitValues(query: object): void {
  const count = Object.values(query).flat().length;
  if (count <= maxValues) return;
  throw invalidPayload([{ path: "", message: `the query holds ${count} values, at most ${maxValues} are taken` }]);
}

/** A parameter that may be given several times. */
export function several(value: Joi.Schema): Joi.ArraySchema {
  return Joi.array().items(value).single();
}

/** A parameter that is true or false, and false without it. */
export function flag(description: string): Joi.BooleanSchema {
  return Joi.boolean().default(false).description(description);
}

/**
 * A number written in digits alone, without forms such as `1e3`, `0x10` or ` 10`.
 *
 * @param schema of a whole number, or of one with decimals
 */
export function inDigits(schema: Joi.NumberSchema, form: "whole" | "decimal"): Joi.NumberSchema {
  const written = form === "whole" ? /^\d+$/ : /^\d+(?:\.\d+)?$/;
  return schema.custom((value: number, { original, message }) =>
    typeof original !== "string" || written.test(original) ? value : message({ custom: "must be a number in digits" }),
  );
}

const names = several(name(200));

/** The parameters of a `NameFilter`. */
export const targetFilter: Readonly<Record<keyof NameFilter, Joi.ArraySchema>> = {
  area: names.description("Only these areas"),
  team: names.description("Only these teams"),
  app: names.description("Only these apps"),
  env: names.description("Only these environments"),
};

/** The schema of a query. Texts are converted to numbers and booleans; otherwise it is as strict as for a body. */
export function querySchema(parameters: Joi.PartialSchemaMap): Joi.ObjectSchema {
  return Joi.object(parameters).prefs({
    ...strict,
    convert: true,
    messages: { ...strict.messages, "object.unknown": "is not a parameter of this path" },
  });
}

/**
 * Validates a query.
 *
 * @throws ServiceError `invalid-payload`, naming each parameter that is wrong
 */
export function readQuery<Query>(schema: Joi.ObjectSchema, given: object): Query {
  limitValues(given);
  const { value, error } = schema.validate(given);
  if (!error) return value;
  for (const detail of error.details) {
    const isRepeated = Array.isArray(detail.context?.value) && !/^(?:array|object)\./.test(detail.type);
    if (isRepeated) detail.message = "must be given once";
  }
  throw invalidPayload(faults(error));
}
