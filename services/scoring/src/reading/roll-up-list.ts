import Joi from "joi";
import type { Page, Paging } from "../lists/list.ts";
import { targetFilter } from "../lists/query.ts";
import { pageOf, type Sorted, sortedBy } from "../lists/sorted.ts";
import { type Grant, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { positionBy, type Sort, sorts } from "./order.ts";
import type { RollUpReader, RollUps } from "./roll-ups.ts";

/** The query of a list of roll-ups. */
export interface RollUpQuery extends TargetFilter {
  readonly sort: Sort;
  readonly below?: number;
}

/** The parameters of a `RollUpQuery`. */
export const rollUpParameters: Joi.PartialSchemaMap = {
  ...targetFilter,
  sort: Joi.valid(...sorts)
    .default("score")
    .description("`score`: the worst first; `-score`: the best first; `coverage`: the least first; `name`: by names"),
  below: Joi.number().min(0).max(100).description("Only those with a score below this one"),
};

interface Rolled {
  readonly score: number;
  readonly coverage: number;
}

/** What tells the lists of areas, teams and applications apart. */
export interface Level<Item extends Rolled, Shown> {
  readonly of: (rollUps: RollUps) => readonly Item[];
  /** The fields that hold the names of an item. */
  readonly names: readonly (keyof Item)[];
  readonly show: (item: Item) => Shown;
}

/**
 * How a list of this level reads a page. With `holds`, the list has only the items for which it returns true.
 */
export function readLevel<Item extends Rolled, Shown>(
  reader: RollUpReader,
  { of, names, show }: Level<Item, Shown>,
): (query: RollUpQuery, grant: Grant, paging: Paging, holds?: (item: Item) => boolean) => Promise<Page<Shown>> {
  const sorted = createSorter(names);
  return async ({ sort, below = Number.POSITIVE_INFINITY, ...filter }, grant, paging, holds = () => true) => {
    const rollUps = await reader.read(narrow(grant, filter));
    const all = sorted(of(rollUps), sort);
    const left = all.filter(({ item }) => item.score < below && holds(item));
    const { items, ...page } = pageOf(left, paging);
    return { ...page, asOf: rollUps.asOf, items: items.map(show) };
  };
}

/** Sorts each list once for each order. */
function createSorter<Item extends Rolled>(names: readonly (keyof Item)[]) {
  const known = new WeakMap<readonly Item[], Map<Sort, Sorted<Item>>>();
  return (items: readonly Item[], sort: Sort): Sorted<Item> => {
    const orders = known.get(items) ?? new Map<Sort, Sorted<Item>>();
    known.set(items, orders);
    const sorted = orders.get(sort) ?? sortedBy(items, positionBy(sort, names));
    orders.set(sort, sorted);
    return sorted;
  };
}
