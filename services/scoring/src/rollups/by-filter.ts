import type { Target } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";

/** How many filters of each reading are kept. */
const maxKept = 100;

/**
 * Makes a function that keeps what is made of a reading for each filter, as long as the reading itself.
 *
 * @param make gets the applications of the reading that the filter leaves
 */
export function keepByFilter<App extends Target, Reading extends { readonly apps: readonly App[] }, Made>(
  make: (apps: readonly App[], reading: Reading, filter: TargetFilter) => Made,
): (reading: Reading, filter: TargetFilter) => Made {
  const made = new WeakMap<Reading, Map<string, Made>>();
  return (reading, filter) => {
    const kept = made.get(reading) ?? new Map<string, Made>();
    made.set(reading, kept);
    const key = JSON.stringify([filter.area, filter.team, filter.app, filter.env]);
    const found = kept.get(key) ?? make(whatIsLeft(reading.apps, filter), reading, filter);
    if (kept.size < maxKept) kept.set(key, found);
    return found;
  };
}

/** The items that a filter leaves. */
export function whatIsLeft<Field extends keyof Target, Item extends Readonly<Record<Field, string>>>(
  apps: readonly Item[],
  filter: { readonly [Name in Field]?: readonly string[] },
): readonly Item[] {
  const wanted = Object.entries<readonly string[] | undefined>(filter).map(
    ([field, values]) => [field as Field, new Set(values)] as const,
  );
  if (wanted.length === 0) return apps;
  return apps.filter((app) => wanted.every(([field, values]) => values.has(app[field])));
}
