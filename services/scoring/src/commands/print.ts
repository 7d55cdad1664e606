import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { hasCode } from "../model/errors.ts";

/** The reader closed the output: a pipe, or a socket with unread text in it. */
export class ReaderGone extends Error {}

/**
 * Writes texts as fast as the output takes them. Resolves when all are written, and leaves the output open.
 *
 * @throws ReaderGone, and every other error of the texts or the output
 */
export async function print(texts: Iterable<string> | AsyncIterable<string>, output: Writable): Promise<void> {
  let isOfTexts = false;
  async function* noting(): AsyncGenerator<string> {
    try {
      yield* texts;
    } catch (error) {
      isOfTexts = true;
      throw error;
    }
  }
  try {
    await pipeline(noting, output, { end: false });
    // The pipeline ends when it has handed over the last text, which may not be written yet.
    await new Promise<void>((resolve, reject) => {
      output.write("", (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    const isGone = !isOfTexts && (hasCode(error, "EPIPE") || hasCode(error, "ECONNRESET"));
    throw isGone ? new ReaderGone("the reader closed the output", { cause: error }) : error;
  }
}

/** Makes a foreign text safe for a terminal: an invisible character becomes its escape, such as `\\u{1b}`. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
