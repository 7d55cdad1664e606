import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Context } from "./context.ts";
import { readBytes } from "./files.ts";

/** No text can be longer in Node. */
export const maxReportBytes = 536_870_888;

/**
 * @param called what the error calls the file
 * @throws UsageError that says why it cannot be read
 */
export async function readReportFile(
  name: string,
  { cwd, stdin }: Context,
  called: string = name,
): Promise<Uint8Array> {
  return name === "-" ? buffer(stdin) : readBytes(resolve(cwd, name), called, maxReportBytes);
}

/** The name of a file in a sentence. */
export function spokenName(name: string): string {
  return name === "-" ? "standard input" : name;
}

/**
 * The files that arguments name: paths, patterns such as `*.xml` where the shell has not expanded them, and `-` for
 * standard input. A path that exists is meant as it stands, even with brackets in it. A file that is named
 * twice, in any way, is read once.
 *
 * @throws UsageError naming the pattern that matches no file, or what its search could not read
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
    const { matching } = await import("./matching.ts");
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
