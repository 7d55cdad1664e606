/** Ends a field of a row that is read as text. It stands in no name, since no name has control characters. */
export const separator = "\t";

/** SQL of the names of an application and its environment: four fields. */
export const targetFieldsText = `area || E'\\t' || team || E'\\t' || app || E'\\t' || env`;

/** Cuts pieces of any length into lines, and gives the lines of each piece. */
export async function* inLines(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    const lines = text.split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}

/** The index of the separator that ends so many fields. */
export function indexAfter(row: string, fields: number, begin: number): number {
  let index = begin - 1;
  for (let field = 0; field < fields; field++) index = row.indexOf(separator, index + 1);
  return index;
}

/** A part of a text keeps the whole of it in memory, which a copy does not. */
export function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
