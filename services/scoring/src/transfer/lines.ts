import { pipeline, type Readable } from "node:stream";
import split from "split2";
import { hasCode, OperatorError } from "../model/errors.ts";

/** Rows cannot be imported: the message names the line, from 1, and what is wrong with it. Nothing was stored. */
export class ImportError extends OperatorError {
  override readonly name = "ImportError";

  /** The same without what became of the import. */
  readonly place: string;

  constructor(line: number, fault: string) {
    super(`line ${line}: ${fault}; nothing was imported`);
    this.place = `line ${line}: ${fault}`;
  }
}

/** Bytes of a line; the longest row that the service takes has about a quarter. */
const maxLength = 8 * 1_048_576;

/**
 * Gives the lines of a text in UTF-8. Only a line feed ends a line: `node:readline` would also split at U+2028, which
 * `raw` may hold.
 *
 * @throws ImportError at the first line that is not UTF-8 or is longer than 8 MiB
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 1;
  try {
    // The bytes are split before they are decoded, and a single line ahead, so that a fault names its own line.
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

/** Adds the last line of an export, `{"lines":2}`, which says how many there are before it. */
export async function* withCount(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    count++;
    yield line;
  }
  yield JSON.stringify({ lines: count });
}

/** What the last line of an export says; undefined of every other line. */
export function countIn(line: string): number | undefined {
  const [, stated] = /^\s*\{\s*"lines"\s*:\s*(\d{1,15})\s*\}\s*$/.exec(line) ?? [];
  return stated === undefined ? undefined : Number(stated);
}

/**
 * Gives the lines of an export, or of several one after the other, and counts them.
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
    const stated = countIn(line);
    if (stated === undefined) {
      count = (count ?? 0) + 1;
      continue;
    }
    const found = count ?? 0;
    if (stated !== found)
      throw new ImportError(number, `says that ${stated} lines come before it, but ${found} do; export again`);
    count = undefined;
    isWhole = true;
  }
  if (!isWhole || count !== undefined)
    throw new ImportError(
      number + 1,
      "is missing: the last line of an export says how many there are, so this file was cut; export again",
    );
}
