import { ImportError } from "./read-row.ts";

/** Characters of a line; the longest row that the service takes has about a quarter. */
const maxLine = 8 * 1_048_576;

/** Splits at line feeds only: node:readline also takes U+2028, which raw may hold, for the end of a line. */
export async function* lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  const refuse = (fault: string) => new ImportError(`line ${number}: ${fault}; nothing was imported`);
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw refuse("is not, or what follows it is not, UTF-8");
    }
  };
  const add = (part: string) => {
    length += part.length;
    if (length > maxLine) throw refuse("is longer than 8 MiB");
    parts.push(part);
  };
  for await (const bytes of input) {
    const [first = "", ...rest] = decode(bytes).split("\n");
    add(first);
    for (const part of rest) {
      yield parts.join("");
      number++;
      parts = [];
      length = 0;
      add(part);
    }
  }
  add(decode());
  if (length > 0) yield parts.join("");
}
