import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { reasonOf } from "../files.ts";
import { nameOfBytes, pathBytes } from "../path-bytes.ts";
import { UsageError } from "../usage-error.ts";

/** What lies in a directory. */
export interface Found {
  /** Its path as it is shown: that of the directory as it was given, and on from there. */
  readonly file: string;
  /** Why it is not looked into, if it is no plain file. */
  readonly passedOver?: string;
  /** Why nobody knows what is in it. */
  readonly failed?: string;
}

/** Directories that hold what others wrote. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Far more than reports need; a tree beyond is none of reports. */
const limits: Limits = { depth: 32, entries: 100_000 };

interface Limits {
  readonly depth: number;
  readonly entries: number;
}

/**
 * Everything in a directory and those below it, in the order of the names. Links are not followed, so the walk never leaves
 * the directory, never goes in circles and meets no file twice.
 *
 * @throws UsageError when there are more entries than the limit
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
      // As Latin-1 each byte of a name is a character.
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

/** The same on every machine, whatever its language. */
function byName({ name }: { readonly name: string }, { name: other }: { readonly name: string }): number {
  return name < other ? -1 : 1;
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "a link";
  if (entry.isFIFO()) return "a pipe";
  return entry.isSocket() ? "a socket" : "a device";
}
