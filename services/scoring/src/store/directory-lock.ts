import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasCode } from "../model/errors.ts";

/** The directory of an embedded database cannot be used: it cannot be made or written, or another process has it. */
export class DirectoryError extends Error {
  override readonly name = "DirectoryError";
}

/**
 * Keeps a second process out of the directory of an embedded database, which would damage it. Returns what gives the
 * directory free again; after a crash the next process takes it over.
 *
 * @throws DirectoryError naming the process that has it, or why it cannot be written
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, "maturity.pid");
  try {
    makeDirectory(resolve(directory));
    takeOver(directory, path);
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof DirectoryError) throw cause;
    const message = `the directory ${directory} of the embedded database cannot be made or written: ${cause.message}`;
    throw new DirectoryError(message, { cause });
  }
  return () => rmSync(path, { force: true });
}

/** mkdir with `recursive` never ends where a directory that exists takes no new one and says ENOENT, as /proc does. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    const parent = dirname(directory);
    if (!hasCode(error, "ENOENT") || existsSync(parent)) throw error;
    makeDirectory(parent);
    mkdirSync(directory);
  }
}

function takeOver(directory: string, path: string): void {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const owner = Number(readFileSync(path, "utf8"));
    if (owner !== process.pid && isRunning(owner)) {
      throw new DirectoryError(
        `the embedded database in ${directory} is in use by process ${owner}; stop it, or use PostgreSQL`,
      );
    }
    writeFileSync(path, String(process.pid));
  }
}

/** What a crash left may be no number; to the system, 0 and below are groups of processes. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
