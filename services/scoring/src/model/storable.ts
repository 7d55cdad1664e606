import { shortened } from "./fields.ts";

const maxDepth = 32;

/**
 * The first part of a JSON value that cannot be stored, as path and problem: a NUL or a lone surrogate in a text or
 * key, a backslash in a key, a number too large for a double, or nesting deeper than 32 levels.
 *
 * Keys with a backslash are out because of V8: in Node 24 and 26 it sometimes takes a key that is written with an escape,
 * such as `"\""`, for a key that it has read before (https://github.com/nodejs/node/issues/63785). The key that it gives
 * instead always holds a backslash, so what was read wrongly is never stored.
 */
export function unstorable(value: unknown, path: string, depth = 0): { path: string; message: string } | undefined {
  const here = (message: string) => ({ path: shortened(path), message });
  if (typeof value === "string" && !isStorable(value)) return here("must not hold NUL characters or lone surrogates");
  if (typeof value === "number" && !Number.isFinite(value)) return here("is too large a number");
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === maxDepth) return here(`nests deeper than ${maxDepth} levels`);
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key) || key.includes("\\")) {
      return here("must not have keys with NUL characters, lone surrogates or backslashes");
    }
    const fault = unstorable(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
