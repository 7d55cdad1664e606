import type { Position } from "../lists/cursor.ts";

/** The orders of a list of roll-ups. */
export const sorts = ["score", "-score", "reported", "change", "name"] as const;

export type Sort = (typeof sorts)[number];

interface Sortable {
  readonly score: number | null;
  readonly reported: number;
  readonly change?: number | undefined;
}

const keys: Readonly<Record<Sort, (item: Sortable) => number | null>> = {
  score: ({ score }) => score,
  "-score": ({ score }) => (score === null ? null : -score),
  reported: ({ reported }) => reported,
  change: ({ change = null }) => change,
  name: () => null,
};

/**
 * Makes a function that returns the position of an item in this order. The names come last, so that positions differ.
 *
 * @param names the fields that hold the names of an item
 */
export function positionBy<Item extends Sortable>(
  sort: Sort,
  names: readonly (keyof Item)[],
): (item: Item) => Position {
  return (item) => [keys[sort](item), ...names.map((name) => String(item[name] ?? ""))];
}
