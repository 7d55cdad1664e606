/** A point in time. */
export interface StatedMoment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether its time zone is stated. If not, it was read as UTC. */
  readonly hasZone: boolean;
}

/** Longest text that is a time. */
const longest = 64;

/** The time of day, which all forms have. */
const clock = /(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/;

/** What stands before the time of day. In the last form the year is the end of the text. */
const dates = [
  // RFC 3339 and what looks like it, as Python, Ruby and Go write it: 2026-10-03T10:11:12Z, 2026/10/03 10:11:12 +0200
  /^(?<year>\d{4})[-/](?<month>\d\d)[-/](?<day>\d\d)[t ]$/i,
  // of mails: Sat, 3 Oct 2026 10:11:12 +0200
  /^(?:[a-z]{3},? )?(?<day>\d{1,2}) (?<name>[a-z]{3}) (?<year>\d{4}) $/i,
  // of Java and Unix: Sat Oct 03 10:11:12 CEST 2026
  /^(?:[a-z]{3},? )?(?<name>[a-z]{3}) (?<day>\d{1,2}) $/i,
];

/**
 * The point in time that a value states: a date with a time of day, or the seconds, milliseconds, microseconds or
 * nanoseconds since 1970 as a number or its text. Undefined if it states none.
 */
export function timeIn(value: unknown): StatedMoment | undefined {
  if (typeof value === "number") return sinceEpoch(value);
  if (typeof value !== "string" || value.length > longest) return undefined;
  const text = value.trim().replace(/\s+/g, " ");
  return /^\d+(?:\.\d+)?$/.test(text) ? sinceEpoch(Number(text)) : momentIn(text);
}

/** The size of a number since 1970 shows its unit: each covers the years 1973 to 5138. */
function sinceEpoch(number: number): StatedMoment | undefined {
  const milliseconds =
    number < 1e11 ? number * 1e3 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6;
  const at = Math.round(milliseconds);
  return Number.isSafeInteger(at) ? { at, hasZone: true } : undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function momentIn(text: string): StatedMoment | undefined {
  const time = clock.exec(text);
  const before = text.slice(0, time?.index);
  const date = dates.map((form) => form.exec(before)?.groups).find((parts) => parts !== undefined);
  if (!time || !date) return undefined;
  const [whole, hour, minute, second = "0", fraction = ""] = time;
  const rest = text.slice(before.length + whole.length);
  const [, zone = "", year] = date.year === undefined ? (/^(.*) (\d{4})$/.exec(rest) ?? []) : ["", rest, date.year];
  const month = date.name === undefined ? Number(date.month) - 1 : months.indexOf(date.name.toLowerCase());
  const offset = offsetOf(zone.trim());
  const utc = new Date(Date.UTC(Number(year), month, Number(date.day), Number(hour), Number(minute), Number(second)));
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  // The 30th of February is a day of March to `Date`.
  if (!isClock || offset === undefined || utc.getUTCMonth() !== month) return undefined;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  return { at: utc.getTime() + milliseconds - (offset ?? 0), hasZone: offset !== null };
}

/**
 * The offset of a zone in milliseconds; null if there is none, or it is only known by a word such as CST, which several
 * zones have. Undefined if the text is no zone. Go writes more behind its zones, which is ignored.
 */
function offsetOf(zone: string): number | null | undefined {
  if (/^(?:z|utc|gmt)(?: |$)/i.test(zone)) return 0;
  if (/^[a-z]{0,5}$/i.test(zone)) return null;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?(?: |$)/.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
