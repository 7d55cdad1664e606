import { readdir, realpath, stat } from "node:fs";
import { relative, resolve } from "node:path";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { reasonOf } from "./files.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The files that match a pattern, sorted. A link that leads nowhere is one of them where its name matches, so whoever
 * reads it fails as by its name.
 *
 * @throws UsageError when there are none, or when they may lack some: a directory that the pattern leads into cannot be read
 */
export async function matching(pattern: string, cwd: string): Promise<string[]> {
  const unread = new Map<string, unknown>();
  const fs = tellingFileSystem(/\*\*/.test(pattern), (path, error) => unread.set(resolve(cwd, path), error));
  const slashed = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
  const found = await glob([slashed], { cwd, dot: true, expandDirectories: false, fs });
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
 * The file system for a search, which passes over what it cannot read without a word.
 *
 * @param isDeep whether the pattern leads into all directories, so that a link to nowhere is on no way it names
 * @param onUnread told each directory, and each link on the way of the pattern, that cannot be read
 */
function tellingFileSystem(isDeep: boolean, onUnread: (path: string, error: unknown) => void): FileSystemAdapter {
  const broken = new Map<string, NodeJS.ErrnoException>();
  return {
    readdir(path: string, options: { withFileTypes: true }, done: Callback<unknown>) {
      const link = broken.get(resolve(path));
      if (link) onUnread(path, link);
      if (link) return done(null, []);
      readdir(path, options, (error, entries) => {
        // What is gone by now is not there, as a directory that the pattern itself names.
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
        // Of what cannot be told the search lists a directory only where the pattern leads into it.
        const isDirectory = error ? !(isDeep && error.code === "ENOENT") : stats.isDirectory();
        done(null, { isDirectory: () => isDirectory });
      });
    },
  } as unknown as FileSystemAdapter;
}

type Callback<Value> = (error: null, value: Value) => void;
