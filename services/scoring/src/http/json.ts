import Bourne from "@hapi/bourne";
import { maxBodyValues, valuesIn } from "@maturity/core/wire";
import { invalidPayload } from "../model/errors.ts";
import { tooManyFields } from "../model/limits.ts";

/** A text up to this length needs no count, since each value takes two characters at least. */
const maxUncounted = 2 * maxBodyValues;

/**
 * Parses the JSON object of a body.
 *
 * @throws ServiceError `invalid-payload` if the body is empty, is not a JSON object, has a `__proto__` key or too many
 * values
 */
export function parseObject(text: string): Record<string, unknown> {
  if (text.trim() === "") throw refused("the body is empty; send a JSON object");
  if (text.length > maxUncounted && valuesIn(text, maxBodyValues) > maxBodyValues) {
    const limit = maxBodyValues.toLocaleString("en");
    throw refused(
      `the body holds more than ${limit} values in all, keys and items at every depth; send less at a time`,
    );
  }
  return requireObject(parse(text), "the body must be a JSON object");
}

/** The value as an object. @throws ServiceError `invalid-payload`, with this message if it is none; or it has too many fields */
export function requireObject(value: unknown, message: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(message);
  const fault = tooManyFields(value, "");
  if (fault) throw invalidPayload([fault]);
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return Bourne.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refused(
      reason.includes("forbidden prototype")
        ? "the body must not have the key __proto__"
        : `the body is not valid JSON: ${reason}`,
    );
  }
}

function refused(message: string): Error {
  return invalidPayload([{ path: "", message }]);
}
