import type { Target } from "@maturity/core";
import { LRUCache } from "lru-cache";
import type { TargetFilter } from "../model/target-filter.ts";

/** How many filters of each reading are kept, and how often what they leave may be the whole organisation. */
const [maxKept, maxWhole] = [100, 10];

/**
 * Makes a function that keeps what is made of a reading for each filter, as long as the reading itself.
 *
 * @param make gets the applications of the reading that the filter leaves
 */
export function keepByFilter<App extends Target, Reading extends { readonly apps: readonly App[] }, Made>(
  make: (apps: readonly App[], reading: Reading, filter: TargetFilter) => Made,
): (reading: Reading, filter: TargetFilter) => Made {
  const caches = new WeakMap<Reading, LRUCache<string, { readonly of: Made }>>();
  const newCache = ({ apps }: Reading) =>
    new LRUCache<string, { readonly of: Made }>({ max: maxKept, maxSize: maxWhole * (apps.length + 1) });
  return (reading, filter) => {
    const cache = caches.get(reading) ?? newCache(reading);
    caches.set(reading, cache);
    const key = filterKey(filter);
    const found = cache.get(key);
    if (found) return found.of;
    const left = whatIsLeft(reading.apps, filter);
    const of = make(left, reading, filter);
    cache.set(key, { of }, { size: left.length + 1 });
    return of;
  };
}

/** The same text for filters that leave the same. */
export function filterKey({ area, team, app, env }: TargetFilter): string {
  return JSON.stringify([area, team, app, env].map((values) => values && [...new Set(values)].sort()));
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
