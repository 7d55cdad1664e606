import type { Fault } from "@maturity/core";

/** Largest number of fields in an object. No request needs a tenth of it. */
const maxFields = 100;

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
