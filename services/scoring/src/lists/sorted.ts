import type { Position } from "./cursor.ts";
import type { Page, Paging } from "./list.ts";

/** An item and where it stands in its list. */
interface Placed<Item> {
  readonly item: Item;
  readonly position: Position;
}

/** A list in memory, in the order of its positions. */
export type Sorted<Item> = readonly Placed<Item>[];

/**
 * Sorts items by their positions, value by value. A value that is null comes last.
 *
 * @param positionOf must differ between any two items
 */
export function sortedBy<Item>(items: readonly Item[], positionOf: (item: Item) => Position): Sorted<Item> {
  return items.map((item) => ({ item, position: positionOf(item) })).sort((a, b) => compare(a.position, b.position));
}

/** A page of a list in memory. */
export function pageOf<Item>(
  sorted: Sorted<Item>,
  { limit, after }: Paging,
): Pick<Page<Item>, "items" | "end" | "total"> {
  const begin = after ? indexAfter(sorted, after) : 0;
  const placed = sorted.slice(begin, begin + limit);
  return {
    items: placed.map(({ item }) => item),
    end: begin + limit < sorted.length ? placed.at(-1)?.position : undefined,
    total: sorted.length,
  };
}

/** The index of the first item after a position, whether or not an item stands there. */
function indexAfter(sorted: Sorted<unknown>, after: Position): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]?.position ?? [], after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sorting 20,000 items calls it some 250,000 times, so it makes no iterator: with one the sort blocked for twice as long. */
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
