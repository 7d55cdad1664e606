import { maxBodyBytes } from "./limits.ts";
import { isStorable } from "./storable.ts";

/** Most characters of the reasons of a score, in texts and keys; each value counts as another. It is a quarter of the largest body that the service takes. */
const maxCharacters = maxBodyBytes / 4;

/** Most levels of lists and objects in the reasons of a score: twice those of a `raw` that the service takes. */
const maxLevels = 64;

/** A copy of lists and plain objects at every depth. Other values stay themselves. */
export function copyOf<Value>(value: Value): Value;
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value)) return value;
  const copy = { ...value };
  for (const key in copy) {
    if (typeof copy[key] === "object") copy[key] = copyOf(copy[key]);
  }
  return copy;
}

/**
 * What JSON makes of the reasons of a score, each part of them read once; or the part that it cannot hold, or that is beyond
 * the bounds.
 */
export function plainOf(reasons: unknown): { readonly plain: unknown; readonly fault: string | undefined } {
  let left = maxCharacters;
  let fault: string | undefined;
  const wrong = (part: string) => {
    fault ??= part;
  };
  const copy = (value: unknown, level: number): unknown => {
    left -= typeof value === "string" ? value.length + 1 : 1;
    if (left < 0) return wrong(`more than ${maxCharacters} characters`);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") return isStorable(value) ? value : wrong("a text with NUL or a lone surrogate");
    if (typeof value === "number") return Number.isFinite(value) ? value : wrong(String(value));
    if (value === undefined) return wrong("an undefined item");
    if (typeof value !== "object") return wrong(`a ${typeof value}`);
    if (level > maxLevels) return wrong(`more than ${maxLevels} levels, or themselves`);
    const { toJSON } = value as { readonly toJSON?: unknown }; // such as of a date
    if (typeof toJSON === "function") return copy(toJSON.call(value), level + 1);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (let index = 0; index < value.length && !fault; index++) items.push(copy(value[index], level + 1));
      return items;
    }
    if (!isPlain(value)) return wrong("an object of a class");
    const members = { ...value };
    for (const key of Object.keys(members)) {
      if (fault) break;
      left -= key.length;
      if (members[key] !== undefined) members[key] = copy(members[key], level + 1);
      else delete members[key]; // as JSON does
    }
    return members;
  };
  return { plain: copy(reasons, 1), fault };
}

/** Recognized by its prototypes, since an object of another realm has another `Object`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
