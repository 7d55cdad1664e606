import { readdir, realpath, stat } from "node:fs";
import { relative, resolve } from "node:path";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { reasonOf } from "./files.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The files that match a pattern, sorted. A broken link is among them if its name matches. So reading it fails, as it
 * would if the caller had named it.
 *
 * @throws UsageError if no file matches. Also if some matches may be missing, because a directory that the pattern
 * leads into cannot be read.
 * @param options.followLinks whether to search directories behind links; a link may lead anywhere
 */
export async function matching(
  pattern: string,
  cwd: string,
  { followLinks = true }: { readonly followLinks?: boolean } = {},
): Promise<string[]> {
  const unread = new Map<string, unknown>();
  const fs = watchedFileSystem(/\*\*/.test(pattern), (path, error) => unread.set(resolve(cwd, path), error));
  const slashed = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
  const options = { cwd, dot: true, expandDirectories: false, followSymbolicLinks: followLinks, fs };
  const found = await glob([slashed], options);
  const [first] = [...unread].sort(([one], [other]) => (one < other ? -1 : 1));
  if (first) {
    const [path, error] = first;
    throw new UsageError(
      `${pattern} may match more than can be read: ${relative(cwd, path) || "."} cannot be read: ${reasonOf(error)}`,
    );
  }
  if (found.length === 0) throw new UsageError(`no file matches ${pattern}`);
  return found.sort();
}

/**
 * A file system for the search that reports what it cannot read. The search itself would pass over it in silence.
 *
 * @param isDeep whether the pattern contains `**`. Then the search enters all directories, and a broken link in one of
 * them is no fault.
 * @param onUnread called with each directory that cannot be read, and with each broken link in place of a directory
 * that the pattern names
 */
function watchedFileSystem(isDeep: boolean, onUnread: (path: string, error: unknown) => void): FileSystemAdapter {
  const broken = new Map<string, NodeJS.ErrnoException>();
  return {
    readdir(path: string, options: { withFileTypes: true }, done: Callback<unknown>) {
      const link = broken.get(resolve(path));
      if (link) onUnread(path, link);
      if (link) return done(null, []);
      readdir(path, options, (error, entries) => {
        // A directory may have been removed meanwhile. A missing directory that the pattern names just gives no match.
        if (error && error.code !== "ENOENT" && error.code !== "ENOTDIR") onUnread(path, error);
        done(null, entries ?? []);
      });
    },
    realpath(path: string, done: Callback<string>) {
      realpath(path, (error, real) => {
        if (error) broken.set(resolve(path), error);
        done(null, error ? path : real);
      });
    },
    stat(path: string, done: Callback<{ isDirectory(): boolean }>) {
      stat(path, (error, stats) => {
        if (error) broken.set(resolve(path), error);
        // What cannot be examined is called a directory, because the search then lists it only if the pattern leads
        // into it.
        const isDirectory = error ? !(isDeep && error.code === "ENOENT") : stats.isDirectory();
        done(null, { isDirectory: () => isDirectory });
      });
    },
  } as unknown as FileSystemAdapter;
}

type Callback<Value> = (error: null, value: Value) => void;
