import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Contents by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** An empty directory for one test. */
export async function useDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "maturity-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A directory for one test with these files in it. */
export async function useTree(files: Files): Promise<string> {
  const directory = await useDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  return directory;
}
