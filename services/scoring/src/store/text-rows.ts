/** Ends a column of a row that is read as text. It stands in no name, since no name has control characters. */
export const separator = "\t";

/** Cuts pieces of any length into rows of cells, and gives the rows of each piece. */
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

/** A part of a text keeps the whole of it in memory, which a copy does not. */
export function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
