import { PassOver } from "./reading.ts";

/** How files are found and read. Each function rejects with an error whose message says why. */
export interface CatalogSource {
  /** Directory in which relative names begin. */
  readonly cwd: string;
  /**
   * The bytes of a file; rejects if there are more than `maxBytes`.
   *
   * @param path an absolute path, or `-` for standard input
   * @param name what messages call the file
   */
  read(path: string, name: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * The files in a directory that match a pattern of names, `*`, `**` and `?`; rejects if there are none. Directories
   * behind links are not searched.
   */
  match(pattern: string, directory: string): Promise<readonly string[]>;
}

/** A file of a catalog. */
export interface CatalogFile {
  /** What messages call it. */
  readonly name: string;
  /** Its absolute path, without links. Of standard input it is a path in the working directory. */
  readonly path: string;
  /** The directory that nothing in the file may lead out of. */
  readonly root: string;
  readonly isStandardInput?: true;
}

/** Largest file of a catalog, in bytes: tens of thousands of entities. */
const maxBytes = 8 * 1_048_576;

/**
 * The text of a file, without a byte order mark.
 *
 * @throws PassOver if it cannot be read, is too large, is not UTF-8, or holds a NUL
 */
export async function readDecoded(
  { path, name, isStandardInput }: CatalogFile,
  source: CatalogSource,
): Promise<string> {
  const bytes = await source.read(isStandardInput ? "-" : path, name, maxBytes).catch(passOver);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // The message of the decoder would not help; the sentence below does.
  }
  throw new PassOver(`${name} is not UTF-8; save it as UTF-8`);
}

/** Throws an error of a `CatalogSource` as the reason to pass over what needs the file. */
export function passOver(cause: unknown): never {
  throw new PassOver(cause instanceof Error ? cause.message : String(cause));
}
