import leven from "leven";
import type { Format } from "./format.ts";

/** Most formats that an error names. */
const most = 3;
/** Most characters of a text that are examined. */
const looked = 65_536;

/** The formats whose words a text contains, at most three, those with the most words first. */
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

/** The three formats with the most similar names, the most similar first. */
export function nearestByName(name: string, formats: readonly Format[]): Format[] {
  return formats
    .map((format) => ({ format, distance: leven(name.slice(0, 40).toLowerCase(), format.name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ format }) => format);
}
