import { type Fault, MaturityError, maxFaults } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import { invalidPayload } from "../model/errors.ts";
import { tooManyFields } from "../model/limits.ts";

/**
 * Reads the entries of a list one by one, in slices, until there are a hundred faults.
 *
 * @param list name of the list's field
 * @param read checks an entry and returns the result, or throws its faults
 * @param found faults in the rest of the body
 * @throws ServiceError `invalid-payload`. Other errors of `read` are thrown on.
 */
export async function readEntries<Made>(
  list: string,
  entries: readonly unknown[],
  read: (entry: object) => Made,
  found: readonly Fault[] = [],
): Promise<Made[]> {
  const faults = [...found];
  const made: Made[] = [];
  const slice = createSlices();
  for (const [index, entry] of entries.entries()) {
    if (faults.length >= maxFaults) break;
    await slice();
    try {
      made.push(read(asObject(entry)));
    } catch (error) {
      faults.push(...faultsAt(`${list}[${index}]`, error));
    }
  }
  if (faults.length > 0) throw invalidPayload(faults);
  return made;
}

function asObject(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidPayload([{ path: "", message: "must be an object" }]);
  }
  const fault = tooManyFields(value, "");
  if (fault) throw invalidPayload([fault]);
  return value;
}

/** The faults of one entry, with the entry's position in front of their paths. Other errors are thrown on. */
export function faultsAt(entry: string, error: unknown): Fault[] {
  if (!(error instanceof MaturityError) || error.details.length === 0) throw error;
  return error.details.map(({ path, message }) => ({ path: path ? `${entry}.${path}` : entry, message }));
}
