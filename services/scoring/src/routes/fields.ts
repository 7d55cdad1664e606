import type { Fault } from "@maturity/core";
import Joi from "joi";

/** How bodies are checked: nothing converted, every fault told, without the field's name since the path has it. */
export const strict: Joi.ValidationOptions = { abortEarly: false, convert: false, errors: { label: false } };

/**
 * A name: any printable Unicode, spaces, quotes and backslashes included; no control characters, no lone surrogates, no
 * white space at either end. Characters are code points.
 */
export function name(maximum: number): Joi.StringSchema {
  const text = `must be a text of 1 to ${maximum} characters, without control characters and without white space at either end`;
  return Joi.string()
    .pattern(new RegExp(`^(?!\\s)[^\\p{Cc}\\p{Cs}]{1,${maximum}}(?<!\\s)$`, "u"))
    .messages({ "any.required": "is required", "*": text });
}

/** Any text of up to so many characters that the store can keep: no NUL, no lone surrogates. */
export function text(minimum: number, maximum: number): Joi.StringSchema {
  return (minimum === 0 ? Joi.string().allow("") : Joi.string())
    .pattern(new RegExp(`^[^\\0\\p{Cs}]{${minimum},${maximum}}$`, "u"))
    .messages({
      "any.required": "is required",
      "*": `must be a text of ${minimum} to ${maximum} characters, without NUL and lone surrogates`,
    });
}

/** Where a score or a problem belongs. */
export const target: Readonly<Record<"area" | "team" | "app" | "env", Joi.StringSchema>> = {
  area: name(200).required().description("Top level grouping of teams"),
  team: name(200).required().description("Group of apps"),
  app: name(200).required().description("Application name"),
  env: name(200).required().description("Environment name, such as `prod`"),
};

/** The faults joi found, the first of each field, with the paths of the body: `details[2].line`. */
export function faults(error: Joi.ValidationError): Fault[] {
  const found = new Map<string, Fault>();
  for (const { path: keys, message, type } of error.details) {
    const path = keys
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
      .join("")
      .replace(/^\./, "");
    if (found.has(path)) continue;
    found.set(path, { path, message: type === "object.unknown" ? "is not a field of this request" : message });
  }
  return [...found.values()];
}
