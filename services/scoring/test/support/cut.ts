/** Cuts bytes into pieces of these sizes by turns, so that a piece may end within a number or a character. */
export function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let start = 0, part = 0; start < bytes.length; part++) {
    const end = start + (sizes[part % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}
