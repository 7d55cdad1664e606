import { cut, isStorable } from "@maturity/core/wire";
import { maxShown } from "./fields.ts";

const maxDepth = 32;

/**
 * The first fault of a JSON value that cannot be stored: a NUL or a lone surrogate in a text or key, a backslash in a key,
 * a number too large for a double, or nesting deeper than 32 levels.
 *
 * A backslash in a key is refused because of a fault of V8: Node 24 and 26 sometimes parse a key with an escape, such as
 * `"\""`, as another key of an earlier document (https://github.com/nodejs/node/issues/63785). The wrong key always has a
 * backslash, so it is never stored.
 */
export function unstorable(value: unknown, path: string, depth = 0): { path: string; message: string } | undefined {
  const fault = (message: string) => ({ path: cut(path, maxShown), message });
  if (typeof value === "string" && !isStorable(value)) return fault("must not hold NUL characters or lone surrogates");
  if (typeof value === "number" && !Number.isFinite(value)) return fault("is too large a number");
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === maxDepth) return fault(`nests deeper than ${maxDepth} levels`);
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key) || key.includes("\\")) {
      return fault("must not have keys with NUL characters, lone surrogates or backslashes");
    }
    const found = unstorable(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}
