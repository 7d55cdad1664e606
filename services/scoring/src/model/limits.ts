import type { Fault } from "@maturity/core";

/** Largest number of fields in an object. No request needs a tenth of it. */
const maxFields = 100;

/** Largest number of values in `raw`: the keys of objects and the items of lists, at every depth. */
const maxRawValues = 2_000;

/** How far an issuer's clock or an imported time may be ahead, in seconds. */
export const clockToleranceS = 10;

/** How far ahead the end of a waiver of kind `accepted` may be, in days. */
export const maxAcceptedDays = 366;

/** The largest number of waivers, of an area and of all areas, that are in force or were approved within the last day. */
export const maxWaivers = { area: 5_000, all: 50_000 } as const;

/** How long a request for a waiver waits for its decision, in days. Then it counts as withdrawn. */
export const requestDays = 30;

/**
 * The largest number of requests for waivers, of an area and of a caller, that wait, or were made within the last day
 * and rejected or withdrawn since.
 */
export const maxRequests = { area: 1_000, caller: 100 } as const;

/** How many days before its end a waiver is announced to end, and is in the digest, as in the alert rule `MaturityWaiverEnds`. */
export const endsSoonDays = 14;

/** The fault of an object with too many fields. */
export function tooManyFields(value: object, path: string): Fault | undefined {
  if (Object.keys(value).length <= maxFields) return undefined;
  return { path, message: `has more than ${maxFields} fields` };
}

/** The fault of a `raw` with too many values. Counting ends at the limit. */
export function tooManyValues(raw: unknown, path: string): Fault | undefined {
  const unread = [raw];
  for (let values = 0; unread.length > 0; ) {
    const value = unread.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    values += children.length;
    if (values > maxRawValues) {
      const limit = maxRawValues.toLocaleString("en");
      return { path, message: `holds more than ${limit} values in all, keys and items at every depth; send less` };
    }
    unread.push(...children);
  }
  return undefined;
}
