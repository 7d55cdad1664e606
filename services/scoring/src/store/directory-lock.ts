import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Another process has the directory of an embedded database. */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";
}

/**
 * Keeps a second process out of the directory of an embedded database, which would damage it. Returns what gives the
 * directory free again; after a crash the next process takes it over.
 *
 * @throws DirectoryInUseError naming the process that has it
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "maturity.pid");
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const owner = Number(readFileSync(path, "utf8"));
    if (owner !== process.pid && isRunning(owner)) {
      throw new DirectoryInUseError(
        `the embedded database in ${directory} is in use by process ${owner}; stop it, or use PostgreSQL`,
      );
    }
    writeFileSync(path, String(process.pid));
  }
  return () => rmSync(path, { force: true });
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
