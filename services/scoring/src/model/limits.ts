import type { Fault } from "@maturity/core";

/** Bytes of a body, unpacked. */
export const maxBytes = 1_048_576;

/** Fields of an object that is checked; any has a tenth of it. */
export const maxFields = 100;

/** Entries of a list: `scores`, `details`. */
export const maxEntries = 1_000;

/** Values of `raw` in all: the keys of its objects and the items of its lists, at every depth. */
export const maxRawValues = 2_000;

/** By so much the clock of an issuer, or the times of an import, may be ahead of the service's, in seconds. */
export const clockToleranceS = 10;

/** An object with too many fields to check, as a fault. */
export function tooManyFields(value: object, path: string): Fault | undefined {
  if (Object.keys(value).length <= maxFields) return undefined;
  return { path, message: `has more than ${maxFields} fields` };
}

/** A `raw` with too many values to check, as a fault. It is read no further than to the limit. */
export function tooManyValues(raw: unknown, path: string): Fault | undefined {
  const unread = [raw];
  for (let values = 0; unread.length > 0; ) {
    const value = unread.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    values += children.length;
    if (values > maxRawValues) return holdsTooMany(path);
    unread.push(...children);
  }
  return undefined;
}

export function holdsTooMany(path: string): Fault {
  const limit = maxRawValues.toLocaleString("en");
  return { path, message: `holds more than ${limit} values in all, keys and items at every depth; send less` };
}
