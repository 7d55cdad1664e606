import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasCode, OperatorError } from "../model/errors.ts";

/** The directory of an embedded database cannot be created or written, or another process uses it. */
export class DirectoryError extends OperatorError {
  override readonly name = "DirectoryError";
}

/**
 * Locks the directory of an embedded database, because a second process would damage it. After a crash the next process
 * takes over the lock.
 *
 * @returns a function that releases the lock
 * @throws DirectoryError naming the process that uses the directory, or why it cannot be written
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

/** Replaces mkdir with `recursive`, which never ends where an existing directory answers ENOENT, as /proc does. */
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

/** A crash may have left something that is not a number. Numbers below 1 stand for groups of processes. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
