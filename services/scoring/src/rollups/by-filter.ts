import type { Target } from "@maturity/core";
import { LRUCache } from "lru-cache";
import type { AppName } from "../model/app-name.ts";
import { isIn } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";

/**
 * The largest number of filters that are cached for one snapshot, and how many of them may match the whole organisation.
 */
const [maxFilters, maxWhole] = [100, 10];

/**
 * Makes a function that caches a result for each filter of a snapshot, as long as the snapshot itself.
 *
 * @param make computes the result of the applications that match the filter
 */
export function cacheByFilter<App extends Target, Snapshot extends { readonly apps: readonly App[] }, Made>(
  make: (apps: readonly App[], snapshot: Snapshot, filter: TargetFilter) => Made,
): (snapshot: Snapshot, filter: TargetFilter) => Made {
  const caches = new WeakMap<Snapshot, LRUCache<string, { readonly of: Made }>>();
  const createCache = ({ apps }: Snapshot) =>
    new LRUCache<string, { readonly of: Made }>({ max: maxFilters, maxSize: maxWhole * (apps.length + 1) });
  return (snapshot, filter) => {
    const cache = caches.get(snapshot) ?? createCache(snapshot);
    caches.set(snapshot, cache);
    const key = filterKey(filter);
    const found = cache.get(key);
    if (found) return found.of;
    const left = matching(snapshot.apps, filter);
    const of = make(left, snapshot, filter);
    cache.set(key, { of }, { size: left.length + 1 });
    return of;
  };
}

/** A key that is the same for equivalent filters. */
export function filterKey({ area, team, app, env, within }: TargetFilter): string {
  const bounds = within?.map(({ area, team, app }) => JSON.stringify([area, team, app]));
  return JSON.stringify([area, team, app, env, bounds].map((values) => values && [...new Set(values)].sort()));
}

/** The names by which an item matches; the environment too if the filter has one. */
interface Named extends AppName {
  readonly env?: string | null;
}

/** The items that match a filter. */
export function matching<Item extends Named>(apps: readonly Item[], filter: TargetFilter): readonly Item[] {
  const { within, ...names } = filter;
  const wanted = Object.entries(names).map(([field, values]) => [field as keyof Named, new Set(values)] as const);
  if (wanted.length === 0 && !within) return apps;
  const isWanted = (app: Item) => wanted.every(([field, values]) => values.has(app[field] ?? ""));
  return apps.filter((app) => isWanted(app) && (within?.some((bounds) => isIn(bounds, app)) ?? true));
}
