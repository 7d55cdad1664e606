import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { useDirectory } from "./cli.ts";

/** Contents by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A directory for one test with these files in it. */
export async function useTree(files: Files): Promise<string> {
  const directory = await useDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  return directory;
}
