import { type Fault, MaturityError, maxFaults } from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import { invalidPayload } from "../model/errors.ts";
import { tooManyFields } from "../model/limits.ts";

/**
 * Reads the entries of a list one by one, in slices, up to the hundredth fault.
 *
 * @param list its field of the body
 * @param read checks an entry and gives what is made of it, or throws the faults of it
 * @param found faults of the rest of the body
 * @throws ServiceError `invalid-payload`; what `read` throws that is no fault of the caller's
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

/** The faults of one entry, with the entry before their paths. What is not the caller's fault is thrown on. */
export function faultsAt(entry: string, error: unknown): Fault[] {
  if (!(error instanceof MaturityError) || error.details.length === 0) throw error;
  return error.details.map(({ path, message }) => ({ path: path ? `${entry}.${path}` : entry, message }));
}
