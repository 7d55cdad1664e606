import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { reasonOf } from "@maturity/command-line/files";
import { nameOfBytes, pathBytes } from "@maturity/command-line/path-bytes";
import { UsageError } from "@maturity/command-line/usage-error";

/** An entry of a directory. */
export interface Found {
  /** Its path, which begins with the directory as the caller named it. */
  readonly file: string;
  /** Why it is passed over, if it is no plain file. */
  readonly passedOver?: string;
  /** Why it cannot be read, if it is a directory that cannot. */
  readonly failed?: string;
}

/** Directories that are not searched, because they contain files of others. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Far more than reports need. A larger directory is probably the wrong one. */
const limits: Limits = { depth: 32, entries: 100_000 };

interface Limits {
  readonly depth: number;
  readonly entries: number;
}

/**
 * Lists all files in a directory and below it, in the order of their names. Links are not followed. So the walk never
 * leaves the directory, never goes in circles and meets no file twice.
 *
 * @throws UsageError if there are more entries than the limit
 */
export async function* walk(
  directory: string,
  cwd: string,
  { depth: maxDepth, entries: maxEntries }: Limits = limits,
): AsyncGenerator<Found> {
  let entries = 0;
  yield* within(directory, 0);

  async function* within(path: string, depth: number): AsyncGenerator<Found> {
    if (depth > maxDepth) {
      yield { file: path, failed: `it is more than ${maxDepth} directories deep` };
      return;
    }
    const listed: { readonly name: string; readonly entry: Dirent }[] = [];
    try {
      // In Latin-1 each byte is one character, so the bytes of a name can be restored.
      for await (const entry of await opendir(pathBytes(resolve(cwd, path)), { encoding: "latin1" })) {
        if (++entries > maxEntries) {
          throw new UsageError(
            `${directory} holds more than ${maxEntries.toLocaleString("en")} files: name the directory of the reports`,
          );
        }
        listed.push({ name: nameOfBytes(Buffer.from(entry.name, "latin1")), entry });
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      yield { file: path, failed: `the directory cannot be read: ${reasonOf(error)}` };
      return;
    }
    for (const { name, entry } of listed.sort(byName)) {
      const file = join(path, name);
      if (entry.isDirectory()) {
        if (!skipped.has(name)) yield* within(file, depth + 1);
      } else if (entry.isFile()) yield { file };
      else yield { file, passedOver: `it is ${kindOf(entry)}, not a file` };
    }
  }
}

/** Compares by code units, because the order of a locale differs between machines. */
function byName({ name }: { readonly name: string }, { name: other }: { readonly name: string }): number {
  return name < other ? -1 : 1;
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "a link";
  if (entry.isFIFO()) return "a pipe";
  return entry.isSocket() ? "a socket" : "a device";
}
