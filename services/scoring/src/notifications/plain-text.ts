/** Longest line of a message, in characters. A longer line is cut here, because chat services would cut the whole message. */
export const lineLimit = 300;

/** Makes one line of a text: without control characters and invisible characters, and cut after so many characters. */
export function oneLine(text: string, limit: number = lineLimit): string {
  const flat = [...text.replace(/\p{Cf}+/gu, "").replace(/[\s\p{Cc}]+/gu, " ")];
  const length = Math.max(limit, 0);
  return flat.length > length ? `${flat.slice(0, length).join("")}…` : flat.join("");
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in the largest unit of which it has at least two, so that rounding down removes at most a third. */
export function inWords(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms >= 2 * size) ?? units[2];
  return ms < size ? "less than a minute" : counted(Math.floor(ms / size), unit);
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
