import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes texts as fast as the output takes them, and returns once all are written. The output is left open. */
export async function print(texts: Iterable<string> | AsyncIterable<string>, output: Writable): Promise<void> {
  await pipeline(texts, output, { end: false });
  // The pipeline is over once it has handed on the last text, which may not be written yet.
  await new Promise<void>((resolve, reject) => {
    output.write("", (error) => (error ? reject(error) : resolve()));
  });
}

/** A text from outside that cannot move the cursor of a terminal or hide: characters that are not shown become `\\u{1b}`. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
