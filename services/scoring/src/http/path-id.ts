import { ServiceError } from "../model/errors.ts";
import { uuid } from "../model/fields.ts";
import { type Json, pathParameter } from "../openapi/operation.ts";

/** The id in a path, for the description of a route. */
export function idParameter(of: string): Json {
  return pathParameter("id", `Of the ${of}`, "uuid");
}

/** An id that has the form of one. @throws the error of `missing` */
export function checkedId(id: unknown, missing: (id: string) => ServiceError): string {
  const text = String(id);
  if (!uuid.test(text)) throw missing(text);
  return text;
}

/**
 * The error for an id of nothing that the caller may see.
 *
 * @param rest the end of the message
 */
export function noSuch(kind: string, id: string, rest = ""): ServiceError {
  const shown = JSON.stringify(id.slice(0, 100).toWellFormed());
  return new ServiceError("not-found", `there is no ${kind} with the id ${shown}${rest}`);
}
