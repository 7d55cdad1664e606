/** Separates the columns of a row that is read as text. No name has it, since names have no control characters. */
export const separator = "\t";

/** Splits pieces of any length into rows of cells, and yields the rows of each piece. */
export async function* readRows(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    const lines = text.split("\n");
    rest = lines.pop() ?? "";
    yield lines.map((line) => line.split(separator));
  }
}

/** Copies a part of a text, so that it does not keep the whole text in memory. */
export function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
