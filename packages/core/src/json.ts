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

/** Names a part of the reasons of a score that JSON cannot hold, or that is beyond the bounds; undefined if there is none. */
export function jsonFault(reasons: unknown): string | undefined {
  let left = maxCharacters;
  const faultOf = (value: unknown, level: number): string | undefined => {
    left -= typeof value === "string" ? value.length + 1 : 1;
    if (left < 0) return `more than ${maxCharacters} characters`;
    if (value === null || typeof value === "boolean") return undefined;
    if (typeof value === "string") return isStorable(value) ? undefined : "a text with NUL or a lone surrogate";
    if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
    if (value === undefined) return "an undefined item";
    if (typeof value !== "object") return `a ${typeof value}`;
    if (level > maxLevels) return `more than ${maxLevels} levels, or themselves`;
    if (hasOwnForm(value)) return faultOf(value.toJSON(), level + 1);
    if (Array.isArray(value)) {
      for (const item of value) {
        const fault = faultOf(item, level + 1);
        if (fault) return fault;
      }
      return undefined;
    }
    if (!isPlain(value)) return "an object of a class";
    for (const key in value) {
      if (value[key] === undefined) continue; // JSON leaves it out
      left -= key.length;
      const fault = faultOf(value[key], level + 1);
      if (fault) return fault;
    }
    return undefined;
  };
  return faultOf(reasons, 1);
}

/** Recognized by its prototypes, since an object of another realm has another `Object`. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Such as a date. */
function hasOwnForm(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}
