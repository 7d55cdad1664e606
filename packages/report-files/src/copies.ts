import { createHash } from "node:crypto";
import { createGunzip } from "node:zlib";
import { spokenName } from "./report-files.ts";
import { isGzip } from "./unpacked.ts";

/**
 * Finds copies of reports, so that a copy does not double the findings of a scan. A file is a copy if a file before it
 * has the same content, was read as the same format and is used for the same metric or problem. Gzip files are compared
 * by the content that they hold.
 */
export class Copies {
  readonly #originals = new Map<string, string>();

  /**
   * Notes a file and its use.
   *
   * @param content the result of `contentOf`
   * @param use the format of the file, and the metric or problem it is used for
   * @returns the earlier file with the same content and use; undefined if this file is the first
   */
  originalOf(file: string, content: string, use: string): string | undefined {
    const key = `${content} ${use}`;
    const original = this.#originals.get(key);
    if (original === undefined) this.#originals.set(key, file);
    return original;
  }
}

/**
 * A hash of the content of a file; of a gzip file, of the content that it holds.
 *
 * @throws Error for a damaged gzip file. No report can be read from one, so call this only after reading.
 */
export async function contentOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  if (!isGzip(bytes)) return hash.update(bytes).digest("hex");
  const gunzip = createGunzip();
  gunzip.end(bytes);
  for await (const chunk of gunzip) hash.update(chunk);
  return hash.digest("hex");
}

/** The reason why a copy is left out. */
export function sameText(original: string): string {
  return `the same as ${spokenName(original)}, which counts once`;
}

/** A whole sentence with the reason why a copy is left out. */
export function copyText(file: string, original: string): string {
  return `${spokenName(file)} is ${sameText(original)}`;
}
