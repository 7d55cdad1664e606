import type { Fault } from "@maturity/core";
import { CodedError, maxEntries, maxFaults } from "@maturity/core/wire";
import Joi from "joi";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { type Bounds, type Grant, requireWithin } from "../model/grant.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { requireObject } from "./json.ts";

/** The list of entries of a body. Each entry is checked by itself, with `readEntries`. */
export const entryList: Joi.ArraySchema = Joi.array().min(1).max(maxEntries).required().messages({
  "array.min": "must have at least one entry",
  "array.max": "must have at most 1,000 entries",
});

/**
 * Reads the entries of a list one by one, in slices, until there are a hundred faults.
 *
 * @param list name of the list's field
 * @param read checks an entry and returns the result, or throws its faults
 * @param found faults in the rest of the body
 * @throws ServiceError `invalid-payload`. Other errors of `read` are rethrown.
 */
export async function readEntries<Made>(
  list: string,
  entries: readonly unknown[],
  read: (entry: object) => Made,
  found: readonly Fault[] = [],
): Promise<Made[]> {
  const faults = [...found];
  const entriesRead: Made[] = [];
  for (const [index, entry] of entries.entries()) {
    if (faults.length >= maxFaults) break;
    await yieldToEventLoop();
    try {
      entriesRead.push(read(requireObject(entry, "must be an object")));
    } catch (error) {
      faults.push(...faultsAt(`${list}[${index}]`, error));
    }
  }
  if (faults.length > 0) throw invalidPayload(faults);
  return entriesRead;
}

/** The faults of one entry, with the path of the entry. Rethrows an error that names no faults. */
function faultsAt(entry: string, error: unknown): Fault[] {
  if (!(error instanceof CodedError) || error.details.length === 0) throw error;
  return error.details.map(({ path, message }) => ({ path: path ? `${entry}.${path}` : entry, message }));
}

/**
 * Checks every entry against the bounds of the token, and names each entry outside.
 *
 * @param pathOf the path of an entry in the body
 * @throws ServiceError `forbidden`
 */
export function requireAllWithin(
  grant: Grant,
  entries: readonly Required<Bounds>[],
  pathOf: (index: number) => string,
): void {
  let message = "";
  const found: Fault[] = [];
  for (const [index, entry] of entries.entries()) {
    if (found.length >= maxFaults) break;
    try {
      requireWithin(grant, entry);
    } catch (error) {
      found.push(...faultsAt(pathOf(index), error));
      message ||= (error as Error).message;
    }
  }
  if (found.length > 0) throw new ServiceError("forbidden", message, { details: found });
}
