import type { Fault, Target } from "@maturity/core";
import { cut, isInstant, maxFaults, nameFault, namePattern } from "@maturity/core/wire";
import Joi from "joi";
import { invalidPayload } from "./errors.ts";

/**
 * How bodies are checked: nothing is converted, and every fault is reported. Messages omit the name of the field,
 * because the path of the fault holds it. They are set here and not at each field, because joi would merge those again
 * for every body.
 */
export const strict: Joi.ValidationOptions = {
  abortEarly: false,
  convert: false,
  errors: { label: false },
  messages: {
    "string.base": "must be a text",
    "string.empty": "must not be empty",
    "string.pattern.name": "must be {{#name}}",
    "object.unknown": "is not a field of this request",
  },
};

/** A name of at most this many characters (code points), by the rule of core's `nameFault`. */
export function name(maximum: number): Joi.StringSchema {
  return Joi.string()
    .pattern(namePattern(maximum))
    .error((errors) => {
      for (const error of errors) {
        if (error.code === "string.pattern.base") error.message = nameFault(error.value, maximum) ?? error.message;
      }
      return errors as unknown as Error; // joi takes a list, though its types do not say so
    });
}

/** A name by the wider rule of stored data. New names follow the rule of `name`. */
export function storedName(maximum: number): Joi.StringSchema {
  return Joi.string().pattern(new RegExp(`^(?!\\s)[^\\p{Cc}\\p{Cs}]{1,${maximum}}(?<!\\s)$`, "u"), {
    name: `a text of 1 to ${maximum} characters, without control characters and without white space at either end`,
  });
}

/** A whole number within these bounds. They refuse unsafe numbers too, and say the limit. */
export const whole = (minimum: number, maximum: number): Joi.NumberSchema =>
  Joi.number().unsafe().integer().min(minimum).max(maximum);

/** A storable text of this many characters, without NUL and lone surrogates. */
export function text(minimum: number, maximum: number): Joi.StringSchema {
  return (minimum === 0 ? Joi.string().allow("") : Joi.string()).pattern(
    new RegExp(`^[^\\0\\p{Cs}]{${minimum},${maximum}}$`, "u"),
    { name: `a text of ${minimum} to ${maximum} characters, without NUL and lone surrogates` },
  );
}

/** Most characters that are shown of a text of others, such as a path with a key as long as the body. */
export const maxShown = 200;

/** The form of an id. */
export const uuid: RegExp = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A schema with one more rule. @param faultOf the fault of a value; undefined if it keeps the rule */
export function withRule<Schema extends Joi.Schema, Value>(
  schema: Schema,
  faultOf: (value: Value) => string | undefined,
): Schema {
  return schema.custom((value: Value, { message }) => {
    const fault = faultOf(value);
    return fault === undefined ? value : message({ custom: "{{#fault}}" }, { fault });
  }) as Schema;
}

/** An existing time with its zone, by RFC 3339, less than 16 hours from UTC. The value stays as it is. */
export const instant: Joi.StringSchema = withRule(Joi.string(), (value: string) =>
  isInstant(value) ? undefined : "must be a time with its zone, such as 2026-01-31T12:00:00Z",
);

/** When a result was measured. */
export const measuredAt: Joi.StringSchema = instant.description(
  "When the result was measured, at most 5 minutes ahead and at most as old as the history; by default when it is reported",
);

/** The fields of a target. */
export const target: Readonly<Record<keyof Target, Joi.StringSchema>> = {
  area: name(200).required().description("Top level grouping of teams"),
  team: name(200).required().description("Group of apps"),
  app: name(200).required().description("Application name"),
  env: name(200).required().description("Environment name, such as `prod`"),
};

/** The first fault of each field that joi found, at most a hundred, with paths such as `details[2].line`. */
export function faults(error: Joi.ValidationError): Fault[] {
  const found = new Map<string, Fault>();
  for (const { path: keys, message } of error.details) {
    const path = dotted(keys);
    if (found.has(path)) continue;
    if (found.size >= maxFaults) break;
    found.set(path, { path: cut(path, maxShown), message });
  }
  return [...found.values()];
}

/** Writes the keys of a path as one text, such as `details[2].line`; empty without keys. */
export function dotted(keys: readonly (string | number)[]): string {
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}

/** A value as its schema leaves it. @throws ServiceError `invalid-payload` with each fault */
export function validated<Value>(schema: Joi.ObjectSchema<Value>, given: object): Value {
  const { value, error } = schema.validate(given);
  if (error) throw invalidPayload(faults(error));
  return value;
}
