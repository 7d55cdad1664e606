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

const [lineFeed, point, zero] = [10, 46, 48];

/**
 * Reads rows of numbers that are not negative, with a text after the last, and makes no text of a number: hundreds of thousands
 * of rows take half the time.
 *
 * Beyond the end of the bytes there is undefined, which ends a number.
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
    const end = bytes.lastIndexOf(lineFeed) + 1;
    let at = 0;
    while (at < end) {
      for (let column = 0; column < columns; column++) {
        let number = 0;
        let byte = bytes[at++] as number;
        for (; byte >= zero; byte = bytes[at++] as number) number = number * 10 + byte - zero;
        if (byte === point) {
          let scale = 1;
          for (byte = bytes[at++] as number; byte >= zero; byte = bytes[at++] as number) {
            number = number * 10 + byte - zero;
            scale *= 10;
          }
          number /= scale;
        }
        numbers[column] = number;
      }
      const start = at;
      while (at < end && bytes[at] !== lineFeed) at++;
      take(numbers, start < at ? bytes.toString("utf8", start, at) : "");
      at++;
    }
    rest = bytes.subarray(end);
  }
}

/** Copies a part of a text, so that it does not keep the whole text in memory. */
export function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
