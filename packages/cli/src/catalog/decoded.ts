import { readBytes } from "../files.ts";
import { UsageError } from "../usage-error.ts";
import type { CatalogFile } from "./linked-files.ts";
import { PassOver } from "./reading.ts";

/** Largest file of a catalog, in bytes: tens of thousands of entities. */
const maxCatalogBytes = 8 * 1_048_576;

/**
 * The text of a file of a catalog.
 *
 * @throws UsageError if it cannot be read, is too large, or is not UTF-8
 */
export async function readDecoded({ path, name }: CatalogFile): Promise<string> {
  return decoded(await readBytes(path, name, maxCatalogBytes), name);
}

/**
 * Bytes as a text, without a byte order mark.
 *
 * @throws UsageError if they are not UTF-8, or hold a NUL
 */
export function decoded(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // What the decoder says would not help; the sentence below does.
  }
  throw new UsageError(`${name} is not UTF-8; save it as UTF-8`);
}

/** The text of a file that another one leads to; what is wrong with it is a reason to pass over the entity. */
export async function readLinked(file: CatalogFile): Promise<string> {
  try {
    return await readDecoded(file);
  } catch (error) {
    throw error instanceof UsageError ? new PassOver(error.message) : error;
  }
}
