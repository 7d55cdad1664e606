import { createHash } from "node:crypto";
import { createGunzip } from "node:zlib";
import { isGzip } from "./folder/unpacked.ts";
import { spokenName } from "./report-files.ts";

/**
 * The rule for all ways in which reports come: the same content, read as the same format for the same thing, counts once.
 * A copy would double the findings of a scan. What a gzip file holds is compared, and not how it is packed.
 */
export class Copies {
  readonly #originals = new Map<string, string>();

  /**
   * Takes a file, or finds that it is a copy.
   *
   * @param content as `contentOf` tells it
   * @param use the format that it is read as, and what it is read for
   * @returns the file that came before with this content for this use
   */
  originalOf(file: string, content: string, use: string): string | undefined {
    const key = `${content} ${use}`;
    const original = this.#originals.get(key);
    if (original === undefined) this.#originals.set(key, file);
    return original;
  }
}

/**
 * What tells the content of one report from that of another.
 *
 * @throws Error for a gzip file that is damaged, which no reader took
 */
export async function contentOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  if (!isGzip(bytes)) return hash.update(bytes).digest("hex");
  const gunzip = createGunzip();
  gunzip.end(bytes);
  for await (const chunk of gunzip) hash.update(chunk);
  return hash.digest("hex");
}

/** Why a copy is left out. */
export function sameText(original: string): string {
  return `the same as ${spokenName(original)}, which counts once`;
}

/** The same as a sentence about the copy. */
export function copyText(file: string, original: string): string {
  return `${spokenName(file)} is ${sameText(original)}`;
}
