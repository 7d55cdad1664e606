import { yieldToEventLoop } from "../store/slices.ts";
import type { Position } from "./cursor.ts";
import type { Page, Paging } from "./list.ts";

/** An item and its position in a list. */
interface Positioned<Item> {
  readonly item: Item;
  readonly position: Position;
}

/** A list in memory, in the order of its positions. */
export type Sorted<Item> = readonly Positioned<Item>[];

/** The number of items that are sorted at a time, in a few milliseconds. */
const runLength = 1_000;

/**
 * Sorts items by their positions, value by value, with null last. A long list is sorted in runs that are merged in
 * pairs, so that it does not block the event loop.
 *
 * @param positionOf must differ between any two items
 */
export async function sortedBy<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => Position,
): Promise<Sorted<Item>> {
  let runs: Sorted<Item>[] = [];
  for (let start = 0; start < items.length; start += runLength) {
    const run = items.slice(start, start + runLength).map((item) => ({ item, position: positionOf(item) }));
    runs.push(run.sort((a, b) => compare(a.position, b.position)));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: Sorted<Item>[] = [];
    for (let index = 0; index < runs.length; index += 2) merged.push(await merge(runs[index], runs[index + 1]));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(one: Sorted<Item> = [], other: Sorted<Item> = []): Promise<Sorted<Item>> {
  const merged: Positioned<Item>[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [a, b] = [one[left], other[right]];
    const takesLeft = a !== undefined && (b === undefined || compare(a.position, b.position) < 0);
    const next = takesLeft ? a : b;
    if (next) merged.push(next);
    if (takesLeft) left++;
    else right++;
    if (merged.length % runLength === 0) await yieldToEventLoop();
  }
  return merged;
}

/**
 * Caches what was last made of each list, such as its order, as long as the list itself, so that its pages are not sorted
 * again.
 *
 * @param make makes it by values; equal values mean the same
 */
export function cacheByList<Item, By extends readonly unknown[], Made>(
  make: (items: readonly Item[], ...by: By) => Promise<Made>,
): (items: readonly Item[], ...by: By) => Promise<Made> {
  const cache = new WeakMap<readonly Item[], { readonly by: By; readonly made: Promise<Made> }>();
  return (items, ...by) => {
    const found = cache.get(items);
    if (found?.by.every((one, index) => one === by[index])) return found.made;
    const made = make(items, ...by);
    cache.set(items, { by, made });
    return made;
  };
}

/** A page of a list in memory. */
export function pageOf<Item>(
  sorted: Sorted<Item>,
  { limit, after }: Paging,
): Pick<Page<Item>, "items" | "end" | "total"> {
  const begin = after ? indexAfter(sorted, after) : 0;
  const page = sorted.slice(begin, begin + limit);
  return {
    items: page.map(({ item }) => item),
    end: begin + limit < sorted.length ? page.at(-1)?.position : undefined,
    total: sorted.length,
  };
}

/** The index of the first item after a position, which need not be that of an item. */
function indexAfter(sorted: Sorted<unknown>, after: Position): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]?.position ?? [], after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Sorting 20,000 items takes some 250,000 calls, so it makes no iterator: with one the sort blocked for twice as long.
 */
function compare(a: Position, b: Position): number {
  for (let index = 0; index < a.length; index++) {
    const left = a[index] ?? null;
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return 0;
}
