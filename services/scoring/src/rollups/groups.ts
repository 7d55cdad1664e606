import { inSlices } from "../store/slices.ts";
import { separator } from "../store/text-rows.ts";

/** Makes a function that joins these fields of an item into one text. */
export function idBy<Field extends string>(
  fields: readonly Field[],
): (item: Readonly<Record<Field, string>>) => string {
  return (item) => {
    let id = "";
    for (const field of fields) id += id === "" ? item[field] : separator + item[field];
    return id;
  };
}

/** Groups items by their ids, in the order of the first item of each group, without blocking the event loop for long. */
export async function groupInSlices<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
): Promise<ReadonlyMap<string, readonly [Item, ...Item[]]>> {
  const groups = new Map<string, [Item, ...Item[]]>();
  await inSlices(items, (item) => {
    const id = idOf(item);
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  });
  return groups;
}

/** Makes a function that calls another one once, and then returns the first result. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
