import { valuesIn } from "@maturity/core/wire"; // bundled

/** A part of a list, for one request. */
export interface Batch<Item> {
  /** Index of its first item in the list. */
  readonly offset: number;
  readonly items: readonly Item[];
}

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;
const envelope = '{"scores":[]}';

/**
 * Cuts a list into parts for one request each, in order. An item that is too large stands alone, so that the service
 * refuses only that item.
 *
 * @param maxItems of one part
 * @param maxBytes of the JSON `{"scores":[…]}` that carries a part, in UTF-8
 * @param maxValues in this JSON, keys and items at every depth
 */
export function batchesOf<Item>(
  items: readonly Item[],
  maxItems: number,
  maxBytes: number,
  maxValues: number,
): Batch<Item>[] {
  const batches: { offset: number; items: Item[] }[] = [];
  let bytes = 0;
  let values = 0;
  for (const [offset, item] of items.entries()) {
    const json = `${JSON.stringify(item)},`;
    bytes += bytesOf(json);
    values += valuesIn(json);
    const last = batches.at(-1);
    if (last && last.items.length < maxItems && bytes <= maxBytes && values <= maxValues) last.items.push(item);
    else {
      batches.push({ offset, items: [item] });
      bytes = bytesOf(envelope + json);
      values = valuesIn(envelope + json);
    }
  }
  return batches;
}
