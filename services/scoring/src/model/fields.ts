import { type Fault, maxFaults, nameFault, namePattern } from "@maturity/core";
import Joi from "joi";

/**
 * How bodies are checked: nothing converted, every fault told, without the field's name since the path has it. Messages
 * stand here and not at the fields, where each would be merged anew for every body.
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

/** A name of up to so many characters (code points), as `nameFault` of core has it. */
export function name(maximum: number): Joi.StringSchema {
  return Joi.string()
    .pattern(namePattern(maximum))
    .error((errors) => {
      for (const error of errors) {
        if (error.code === "string.pattern.base") error.message = nameFault(error.value, maximum) ?? error.message;
      }
      return errors as unknown as Error; // the list is what joi takes: its types lack it
    });
}

/** A name by the rules of former versions, which the store may hold. Of a stricter rule only new names must know. */
export function storedName(maximum: number): Joi.StringSchema {
  return Joi.string().pattern(new RegExp(`^(?!\\s)[^\\p{Cc}\\p{Cs}]{1,${maximum}}(?<!\\s)$`, "u"), {
    name: `a text of 1 to ${maximum} characters, without control characters and without white space at either end`,
  });
}

/** Any text of up to so many characters that the store can keep: no NUL, no lone surrogates. */
export function text(minimum: number, maximum: number): Joi.StringSchema {
  return (minimum === 0 ? Joi.string().allow("") : Joi.string()).pattern(
    new RegExp(`^[^\\0\\p{Cs}]{${minimum},${maximum}}$`, "u"),
    { name: `a text of ${minimum} to ${maximum} characters, without NUL and lone surrogates` },
  );
}

/** Where a score or a problem belongs. */
export const target: Readonly<Record<"area" | "team" | "app" | "env", Joi.StringSchema>> = {
  area: name(200).required().description("Top level grouping of teams"),
  team: name(200).required().description("Group of apps"),
  app: name(200).required().description("Application name"),
  env: name(200).required().description("Environment name, such as `prod`"),
};

/** The faults joi found, the first of each field and a hundred at the most, with the paths of the body: `details[2].line`. */
export function faults(error: Joi.ValidationError): Fault[] {
  const found = new Map<string, Fault>();
  for (const { path: keys, message } of error.details) {
    const path = keys
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
      .join("")
      .replace(/^\./, "");
    if (found.has(path)) continue;
    if (found.size >= maxFaults) break;
    found.set(path, { path: shortened(path), message });
  }
  return [...found.values()];
}

/** A path with the keys of the sender, cut so that no answer repeats a mebibyte. */
export function shortened(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200).toWellFormed()}…` : path;
}
