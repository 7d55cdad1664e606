import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Keeps a second process out of the directory of an embedded database, which would damage it. Returns what gives the
 * directory free again; after a crash the next process takes it over.
 *
 * @throws Error naming the process that has it
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "maturity.pid");
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch {
    const owner = Number(readFileSync(path, "utf8"));
    if (owner !== process.pid && isRunning(owner)) {
      throw new Error(
        `the embedded database in ${directory} is in use by process ${owner}; stop it, or use PostgreSQL`,
      );
    }
    writeFileSync(path, String(process.pid));
  }
  return () => rmSync(path, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
