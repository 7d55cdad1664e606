/** A part of a list, for one request. */
export interface Batch<Item> {
  /** Index of its first item in the list. */
  readonly offset: number;
  readonly items: readonly Item[];
}

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;
const envelopeBytes = bytesOf('{"scores":[]}');

/**
 * Cuts a list into parts for one request each, in order. An item that is too large stands alone, so that the service
 * refuses only that item.
 *
 * @param maxItems of one part
 * @param maxBytes of the JSON `{"scores":[…]}` that carries a part, in UTF-8
 */
export function batchesOf<Item>(items: readonly Item[], maxItems: number, maxBytes: number): Batch<Item>[] {
  const batches: { offset: number; items: Item[] }[] = [];
  let bytes = 0;
  for (const [offset, item] of items.entries()) {
    const size = bytesOf(JSON.stringify(item)) + 1; // and a comma
    const last = batches.at(-1);
    if (last && last.items.length < maxItems && bytes + size <= maxBytes) {
      last.items.push(item);
      bytes += size;
    } else {
      batches.push({ offset, items: [item] });
      bytes = envelopeBytes + size;
    }
  }
  return batches;
}
