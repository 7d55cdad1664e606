import { pipeline, type Readable } from "node:stream";
import split from "split2";
import { hasCode, OperatorError } from "../model/errors.ts";

/** A line cannot be imported. The message has its number, from 1, and its fault. Nothing was stored. */
export class ImportError extends OperatorError {
  override readonly name = "ImportError";

  /** The message without "nothing was imported". */
  readonly place: string;

  constructor(line: number, fault: string) {
    super(`line ${line}: ${fault}; nothing was imported`);
    this.place = `line ${line}: ${fault}`;
  }
}

/** The largest number of bytes of a line; the longest row that the service stores has about a quarter. */
const maxLength = 8 * 1_048_576;

/**
 * Yields the lines of a text in UTF-8. Only a line feed ends a line: `node:readline` would also split at U+2028, which
 * `raw` may hold.
 *
 * @throws ImportError at the first line that is not UTF-8 or is longer than 8 MiB
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 1;
  try {
    // Splits bytes before it decodes them, and reads only one line ahead, so that a fault has the number of its line.
    const splitter = split("\n", { maxLength, decodeStrings: false, readableHighWaterMark: 1 });
    for await (const line of pipeline(input.setEncoding("latin1"), splitter, () => {})) {
      yield decoder.decode(Buffer.from(line, "latin1"));
      number++;
    }
  } catch (error) {
    if (hasCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA")) throw new ImportError(number, "is not UTF-8");
    const isTooLong = error instanceof Error && error.message === "maximum buffer reached";
    throw isTooLong ? new ImportError(number, "is longer than 8 MiB") : error;
  }
}

/** Adds the last line of an export, `{"lines":2}`, with the number of lines before it. */
export async function* withCount(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    count++;
    yield line;
  }
  yield JSON.stringify({ lines: count });
}

/** The number in the last line of an export; undefined for every other line. */
export function countIn(line: string): number | undefined {
  const [, digits] = /^\s*\{\s*"lines"\s*:\s*(\d{1,15})\s*\}\s*$/.exec(line) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Yields the lines of an export, or of several in a row, and checks their numbers.
 *
 * @throws ImportError if lines are missing or too many, as in a file that was cut
 */
export async function* countedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  let count: number | undefined;
  let isWhole = false;
  for await (const line of lines) {
    number++;
    yield line;
    const expected = countIn(line);
    if (expected === undefined) {
      count = (count ?? 0) + 1;
      continue;
    }
    const found = count ?? 0;
    if (expected !== found)
      throw new ImportError(number, `says that ${expected} lines come before it, but ${found} do; export again`);
    count = undefined;
    isWhole = true;
  }
  if (!isWhole || count !== undefined)
    throw new ImportError(
      number + 1,
      "is missing: the last line of an export says how many there are, so this file was cut; export again",
    );
}
