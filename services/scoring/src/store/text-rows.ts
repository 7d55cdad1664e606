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

const [tab, lineFeed, point, zero] = [9, 10, 46, 48];

/**
 * Reads rows of numbers that are not negative, with a text after the last, and makes no text of a number: hundreds of thousands
 * of rows take half the time.
 *
 * @param take gets the numbers of each row in an array that the next row overwrites
 * @param pause is awaited before each piece
 */
export async function readNumbers(
  pieces: AsyncIterable<string | Uint8Array>,
  columns: number,
  take: (numbers: readonly number[], text: string) => void,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  const numbers = new Array<number>(columns).fill(0);
  let rest: Uint8Array = Buffer.alloc(0);
  for await (const piece of pieces) {
    await pause();
    const more = typeof piece === "string" ? Buffer.from(piece) : piece;
    const bytes =
      rest.length > 0 ? Buffer.concat([rest, more]) : Buffer.from(more.buffer, more.byteOffset, more.length);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      let at = start;
      for (let column = 0; column < columns; column++) {
        let [digits, scale] = [0, 0];
        for (let byte = bytes[at++] ?? tab; byte !== tab; byte = bytes[at++] ?? tab) {
          if (byte === point) scale = 1;
          else {
            digits = digits * 10 + byte - zero;
            scale *= 10;
          }
        }
        numbers[column] = scale > 1 ? digits / scale : digits;
      }
      take(numbers, at < end ? bytes.toString("utf8", at, end) : "");
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

/** Copies a part of a text, so that it does not keep the whole text in memory. */
export function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
