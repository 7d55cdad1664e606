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
    .map((format) => ({ format, distance: distanceOf(name.slice(0, 40).toLowerCase(), format.name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ format }) => format);
}

/** How many letters have to be added, taken away or changed to make one word of another (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, another] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === another ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
