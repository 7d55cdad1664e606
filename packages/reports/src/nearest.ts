import leven from "leven";
import type { Format } from "./format.ts";

/** How many formats an error names. */
const most = 3;
/** Characters of a text that are looked at. */
const looked = 65_536;

/** The formats of whose names a text has most, at most three, the nearest first; none where it has no name of any. */
export function nearestByContent(text: string, formats: readonly Format[]): Format[] {
  const names = new Set(text.slice(0, looked).match(/[A-Za-z@][\w@.-]{0,60}/g));
  const near = formats.map((format) => ({
    format,
    common: (format.words ?? []).filter((word) => names.has(word)).length,
  }));
  return near
    .filter(({ common }) => common > 0)
    .sort((one, other) => other.common - one.common)
    .slice(0, most)
    .map(({ format }) => format);
}

/** The formats whose names are most like a name that is none, three of them, the nearest first. */
export function nearestByName(name: string, formats: readonly Format[]): Format[] {
  return formats
    .map((format) => ({ format, distance: leven(name.slice(0, 40).toLowerCase(), format.name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ format }) => format);
}
