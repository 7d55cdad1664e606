/** A score as it is written in a cell: whole, and 100 only when nothing is missing to it. */
export function wholeScore(score: number): number {
  return score < 100 ? Math.min(Math.round(score), 99) : 100;
}

/** Which of the five colours a score has: 0 for the worst, 4 for the best. It is that of the number as written. */
export function stepOf(score: number): 0 | 1 | 2 | 3 | 4 {
  return Math.min(Math.floor(wholeScore(score) / 20), 4) as 0 | 1 | 2 | 3 | 4;
}

/** With one digit after the point where it says something: `62.8`, `63`. As in a cell, what is below 100 is never `100`. */
export function points(value: number): string {
  return Math.abs(value) < 1_000 ? String(toTenths(value)) : oneDigit.format(value);
}

/** Always with one digit after the point, so that a column of them lines up: `62.8`, `63.0`. */
export function tenths(value: number): string {
  return Math.abs(value) < 1_000 ? toTenths(value).toFixed(1) : alwaysOneDigit.format(value);
}

/** Every cell with a score is written by it, so it does without the formatter of the browser, which takes its time. */
function toTenths(value: number): number {
  const rounded = Math.round(value * 10) / 10 + 0;
  return rounded === 100 && value < 100 ? 99.9 : rounded;
}

/** A difference, always with its sign: `+1.4`, `−3.0`, `0`. */
export function signed(value: number): string {
  const text = tenths(Math.abs(value));
  if (text === "0.0") return "0";
  return value < 0 ? `−${text}` : `+${text}`;
}

/** A count: `9,412`. */
export function count(value: number): string {
  return whole.format(value);
}

/** A share from 0 to 1 as `36 %`, which no line breaks: 0 and 100 only when it is nothing and everything. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99\u00a0%";
  return rounded === 0 && share > 0 ? "1\u00a0%" : `${rounded}\u00a0%`;
}

/** A message of the service as a sentence of its own. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A count with its noun. */
export function plural(value: number, one: string, several: string = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A span of milliseconds in its largest whole unit: `5 min`, `2 h`, `23 d`. */
export function span(milliseconds: number): string {
  if (milliseconds < minute) return "now";
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < 2 * day) return `${Math.floor(milliseconds / hour)} h`;
  return `${count(Math.floor(milliseconds / day))} d`;
}

/** How long ago a time in ISO 8601 was. A time that is still to come is now, since clocks differ. */
export function age(time: string, now: number): string {
  return span(Math.max(now - Date.parse(time), 0));
}

/**
 * When a result was measured and when it arrived, in a sentence, if the two differ by more than an hour; else undefined.
 * Both are in ISO 8601.
 */
export function measuredBefore(measured: string, arrived: string, now: number): string | undefined {
  if (Date.parse(arrived) - Date.parse(measured) <= hour) return undefined;
  return `measured ${ago(measured, now)}, arrived ${ago(arrived, now)}`;
}

/** When a time in ISO 8601 was: `9 d ago`. */
export function ago(time: string, now: number): string {
  const past = age(time, now);
  return past === "now" ? "just now" : `${past} ago`;
}

/** When a time in ISO 8601 is to come: `in 9 d`, by the reader's calendar. */
export function ahead(time: string, now: number): string {
  const left = Math.max(Date.parse(time) - now, 0);
  if (left < minute) return "now";
  const days = Math.round((midnightBefore(Date.parse(time)) - midnightBefore(now)) / day);
  return `in ${left < 2 * day ? span(left) : `${count(days)} d`}`;
}

function midnightBefore(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** A day by the reader's clock: `3 Nov`, with the year if it is another one. */
export function date(time: string | number, now: number = Date.now()): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayAndMonth : wholeDate).format(new Date(time));
}

/** A day of the service, which counts by UTC, as `since` has it: `2026-01-31`. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The day of a text as `isoDay` has it, wherever the reader is. What is none, such as in an address, stays as it is. */
export function dayOf(iso: string): string {
  const noon = `${iso}T12:00`;
  return Number.isNaN(Date.parse(noon)) ? iso : date(noon);
}

/** A time by the reader's clock: `10:42:05`, with its day if that is not today. */
export function clock(time: number, now: number = Date.now()): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return isToday ? timeOfDay.format(time) : moment(time);
}

/** A time by the reader's clock, with its day: `3 Nov 2026, 10:42`. */
export function moment(time: number): string {
  return dayAndTime.format(time);
}

const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const alwaysOneDigit = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const dayAndMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const wholeDate = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const dayAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const timeOfDay = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
