import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { readBytes } from "@maturity/command-line/files";

/** Where reports come from. */
export interface Sources {
  /** Directory in which relative paths begin. */
  readonly cwd: string;
  readonly stdin: Readable;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Largest report, in bytes. It is the longest text that Node can hold. */
export const maxReportBytes = 536_870_888;

/**
 * Reads the report that the caller named.
 *
 * @param name a path, or `-` for standard input
 * @param called what the error message calls the file
 * @throws UsageError if it cannot be read or is too large
 */
export async function readReportFile(
  name: string,
  { cwd, stdin }: Pick<Sources, "cwd" | "stdin">,
  called: string = name,
): Promise<Uint8Array> {
  return name === "-" ? buffer(stdin) : readBytes(resolve(cwd, name), called, maxReportBytes);
}

/** The name of a file as a sentence uses it. */
export function spokenName(name: string): string {
  return name === "-" ? "standard input" : name;
}

/**
 * The files that arguments name: paths, `-` for standard input, and patterns such as `*.xml`, which some shells do not
 * expand themselves. If a path exists, it is no pattern, even with brackets in it. A file that several arguments name
 * is returned once.
 *
 * @throws UsageError if a pattern matches no file, or if the search for its files meets a directory it cannot read
 */
export async function expandFileNames(args: readonly string[], cwd: string): Promise<string[]> {
  const names = new Map<string, string>();
  const add = (name: string) => {
    const path = name === "-" ? name : resolve(cwd, name);
    if (!names.has(path)) names.set(path, name);
  };
  for (const arg of args) {
    if (!/[*?[\]{}!]/.test(arg) || (await exists(resolve(cwd, arg)))) {
      add(arg);
      continue;
    }
    const { matching } = await import("@maturity/command-line/matching");
    for (const name of await matching(arg, cwd)) add(name);
  }
  return [...names.values()];
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
