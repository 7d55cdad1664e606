import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes texts as fast as the output takes them. Resolves when all are written, and leaves the output open. */
export async function print(texts: Iterable<string> | AsyncIterable<string>, output: Writable): Promise<void> {
  await pipeline(texts, output, { end: false });
  // The pipeline ends when it has handed over the last text, which may not be written yet.
  await new Promise<void>((resolve, reject) => {
    output.write("", (error) => (error ? reject(error) : resolve()));
  });
}

/** Makes a foreign text safe for a terminal: an invisible character becomes its escape, such as `\\u{1b}`. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
