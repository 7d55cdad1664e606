import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { UnusableAnswer } from "./answers.ts";

/**
 * Writes the files into a new or empty folder: all of them, or none. They are written beside it, and then get its name.
 *
 * @param cwd the folder in which the caller is, which cannot get its files in this way
 * @throws UnusableAnswer when the folder has something in it, or is none
 */
export async function writeAll(folder: string, files: Readonly<Record<string, string>>, cwd: string): Promise<void> {
  const way = relative(folder, cwd);
  if (!way.startsWith("..") && !isAbsolute(way)) {
    throw new UnusableAnswer(`${folder} is where you are; go to the folder above it, and name it from there`);
  }
  const isThere = await checkEmpty(folder);
  const firstMade = await mkdir(dirname(folder), { recursive: true });
  const beside = `${folder}.${randomUUID()}`;
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(beside, path)), { recursive: true });
      await writeFile(join(beside, path), text);
    }
    if (isThere) await rmdir(folder);
    await rename(beside, folder);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    if (firstMade) await rm(firstMade, { recursive: true, force: true });
    throw error;
  }
}

/** Whether there is a folder, which is empty then. */
async function checkEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UnusableAnswer(`${folder} cannot be used: ${error.message}`, { cause: error });
  });
  if (names?.length) throw new UnusableAnswer(`${folder} is not empty; name another folder`);
  return names !== undefined;
}
