import { cutFault, type Fault, MaturityError, summaryOf } from "./errors.ts";

/** Largest number of values in `raw`: the keys of objects and the items of lists, at every depth. */
const maxValues = 2_000;

const maxDepth = 32;

/**
 * Refuses values of a result that the service does not store, whatever their metric.
 *
 * @throws MaturityError `invalid-raw`
 */
export function requireStorable(raw: unknown): void {
  const fault = tooManyValues(raw, "raw") ?? unstorable(raw, "raw");
  if (fault) throw new MaturityError("invalid-raw", summaryOf([fault]), { details: [fault] });
}

/** The fault of a `raw` with too many values. Counting ends at the limit. */
export function tooManyValues(raw: unknown, path: string): Fault | undefined {
  const unread = [raw];
  for (let values = 0; unread.length > 0; ) {
    const value = unread.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    values += children.length;
    if (values > maxValues) {
      const limit = maxValues.toLocaleString("en");
      return { path, message: `holds more than ${limit} values in all, keys and items at every depth; send less` };
    }
    unread.push(...children);
  }
  return undefined;
}

/**
 * The first fault of a JSON value that cannot be stored: a NUL or a lone surrogate in a text or key, a backslash in a key,
 * the key `__proto__`, a number too large for a double, or nesting deeper than 32 levels.
 *
 * A backslash in a key is refused because of a fault of V8: Node 24 and 26 sometimes parse a key with an escape, such as
 * `"\""`, as another key of an earlier document (https://github.com/nodejs/node/issues/63785). The wrong key always has a
 * backslash, so it is never stored.
 */
export function unstorable(value: unknown, path: string, depth = 0): Fault | undefined {
  const fault = (message: string) => cutFault({ path, message });
  if (typeof value === "string" && !isStorable(value)) return fault("must not hold NUL characters or lone surrogates");
  if (typeof value === "number" && !Number.isFinite(value)) return fault("is too large a number");
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === maxDepth) return fault(`nests deeper than ${maxDepth} levels`);
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key) || key.includes("\\")) {
      return fault("must not have keys with NUL characters, lone surrogates or backslashes");
    }
    if (key === "__proto__") return fault("must not have the key __proto__");
    const found = unstorable(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Whether a text holds no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
