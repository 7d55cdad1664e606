import { isoDay } from "../format.ts";

const day = 86_400_000;

/** A day, as `isoDay` has it, as a number of days since 1970. */
export function dayNumber(iso: string): number {
  return Date.parse(iso) / day;
}

/** The day with this number. */
export function dayAt(number: number): string {
  return isoDay(number * day);
}

/** The values that an axis names, from below the least to above the greatest, in even steps. */
export function valueTicks(least: number, greatest: number): readonly number[] {
  // A change of a point is no cliff: the axis shows ten points at least.
  const middle = (least + greatest) / 2;
  const half = Math.max((greatest - least) / 2, 5);
  const ends = (step: number) => ({
    from: Math.max(Math.floor((middle - half) / step) * step, 0),
    to: Math.min(Math.ceil((middle + half) / step) * step, 100),
  });
  const step = [5, 10, 20, 25].find((one) => (ends(one).to - ends(one).from) / one <= 4) ?? 25;
  const { from, to } = ends(step);
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** The days that an axis names: first and last, and as many between as there is room for, in even steps. */
export function dayTicks(from: number, to: number, most: number): readonly number[] {
  const days = to - from;
  if (days <= 0) return [from];
  const count = Math.min(Math.max(most, 2) - 1, days);
  return Array.from({ length: count + 1 }, (_, index) => Math.round(from + (days * index) / count));
}

/** A value on a day; null where there is none. */
export interface Dated {
  readonly day: string;
  readonly value: number | null;
}

/** The path through values, in pixels. A day without a value, or that is absent, breaks it. */
export function pathThrough(
  values: readonly Dated[],
  x: (day: number) => number,
  y: (value: number) => number,
  mostDaysApart = 1,
): string {
  let before: number | undefined;
  const known = values.flatMap(({ day, value }) => (value === null ? [] : [{ at: dayNumber(day), value }]));
  return known
    .map(({ at, value }, index) => {
      const starts = before === undefined || at - before > mostDaysApart;
      before = at;
      const next = known[index + 1];
      const isAlone = starts && (next === undefined || next.at - at > mostDaysApart);
      return `${starts ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isAlone ? "h.1" : ""}`;
    })
    .join("");
}
