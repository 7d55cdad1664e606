import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Context } from "./context.ts";
import { readBytes } from "./files.ts";
import { UsageError } from "./usage-error.ts";

/** A report as it lies on disk, or came in. */
export interface ReportFile {
  /** As it was given; `-` for standard input. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** No text can be longer in Node. */
export const maxReportBytes = 536_870_888;

/**
 * Reads the files that the arguments name: paths, patterns such as `*.xml` where the shell has not expanded them,
 * and `-` for standard input.
 *
 * @throws UsageError naming the argument that is no file, or matches none
 */
export async function readReportFiles(args: readonly string[], context: Context): Promise<ReportFile[]> {
  const files: ReportFile[] = [];
  for (const name of await expandFileNames(args, context.cwd)) files.push(await readReportFile(name, context));
  return files;
}

/** @throws UsageError naming the file */
export async function readReportFile(name: string, context: Context): Promise<ReportFile> {
  if (name === "-") return { name, bytes: await buffer(context.stdin) };
  return { name, bytes: await readBytes(resolve(context.cwd, name), name, maxReportBytes) };
}

/** A path that exists is meant as it stands, even with brackets in it. A file that is named twice, in any way, is read once. */
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
    const { glob } = await import("tinyglobby");
    const pattern = process.platform === "win32" ? arg.replaceAll("\\", "/") : arg;
    const found = await glob([pattern], { cwd, dot: true, expandDirectories: false });
    if (found.length === 0) throw new UsageError(`no file matches ${arg}`);
    for (const name of found.sort()) add(name);
  }
  return [...names.values()];
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
