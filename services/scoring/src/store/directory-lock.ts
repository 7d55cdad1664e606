import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { hasCode, OperatorError } from "../model/errors.ts";

/** The directory of an embedded database cannot be created, written or locked, or another process uses it. */
export class DirectoryError extends OperatorError {
  override readonly name = "DirectoryError";
}

/** Without a reference, a lock would be garbage-collected, and so released. */
const held = new Set<DatabaseSync>();

/**
 * Locks the directory of an embedded database, because a second process would damage it. The kernel releases the lock
 * when the process ends for any reason. The lock also holds between containers that share a volume, where process ids
 * mean nothing.
 *
 * @returns a function that releases the lock
 * @throws DirectoryError naming the process that uses the directory, or why it cannot be used
 */
export function lockDirectory(directory: string): () => void {
  const owner = join(directory, "maturity.pid");
  try {
    makeDirectory(resolve(directory));
    accessSync(directory, constants.W_OK);
    const lock = takeLock(directory, owner);
    writeOwner(owner, lock);
    held.add(lock);
    return () => {
      if (!held.delete(lock)) return;
      rmSync(owner, { force: true });
      lock.close();
    };
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof DirectoryError) throw cause;
    const message = `the directory ${directory} of the embedded database cannot be made, written or locked: ${cause.message}`;
    throw new DirectoryError(message, { cause });
  }
}

/** Replaces mkdir with `recursive`, which loops for ever where an existing directory answers ENOENT, as /proc does. */
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

/** SQLite's code for a lock held by another connection (https://sqlite.org/rescode.html#busy). */
const busy = 5;

/**
 * Node cannot lock files, but SQLite can, on every system. The file stays empty and is never removed: two processes
 * could otherwise lock two files of the same name. Nothing else may open it, since POSIX releases all locks of a
 * process on a file when any of its handles is closed.
 */
function takeLock(directory: string, owner: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const lock = new DatabaseSync(join(directory, "maturity.lock"), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === busy)) throw error;
    const message = `the embedded database in ${directory} is in use by ${ownerIn(owner)}; stop it, or use PostgreSQL`;
    throw new DirectoryError(message);
  }
}

/** Writes the name of this process, for the message to a process that is refused. Nothing is decided by it. */
function writeOwner(owner: string, lock: DatabaseSync): void {
  try {
    writeFileSync(owner, `process ${process.pid} on ${hostname()}`);
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Reads the name of the owner. The file may be missing, or half-written after a crash. */
function ownerIn(file: string): string {
  try {
    return /^process \d+ on \S+$/.exec(readFileSync(file, "utf8"))?.[0] ?? "another process";
  } catch {
    return "another process";
  }
}
