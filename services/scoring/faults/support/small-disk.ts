import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** A disk that is soon full. */
export interface SmallDisk {
  readonly directory: string;
  /** Leaves no room on it, also when some was freed since. */
  fill(): Promise<void>;
  /** Takes away what filled it. */
  free(): Promise<void>;
}

/** A file system in memory, for one test. @throws Error when the user may not mount one */
export async function useSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), "maturity-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=1777`, "tmpfs", directory]);
  } catch (cause) {
    throw new Error("a full disk takes a file system to fill: run the tests as root", { cause });
  }
  onTestFinished(async () => {
    await run("umount", ["--lazy", directory]);
    await rm(directory, { recursive: true });
  });
  const filler = join(directory, "filler");
  return {
    directory,
    async fill() {
      const file = await open(filler, "a");
      for (const size of [1_048_576, 4_096]) await writeUntilFull(() => file.write(Buffer.alloc(size)));
      await file.close();
    },
    free: () => rm(filler),
  };
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
