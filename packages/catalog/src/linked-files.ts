import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { quoted } from "./entity-ref.ts";
import { PassOver } from "./reading.ts";
import { type CatalogFile, type CatalogSource, passOver } from "./source.ts";

/** A file that the caller named. What it leads to must stand below the working directory, or else below its own. */
export async function namedFile(name: string, cwd: string): Promise<CatalogFile> {
  const root = await realpath(cwd);
  if (name === "-") return { name: "standard input", path: join(root, "-"), root, isStandardInput: true };
  const path = await realpath(resolve(cwd, name)).catch(() => resolve(cwd, name)); // a missing one fails when it is read
  return { name, path, root: isWithin(root, path) ? root : dirname(path) };
}

/**
 * The files that a target of a Location, or a placeholder such as `$text`, means. Only files of this machine are read,
 * and none above the root, since other people may write the catalog.
 *
 * @throws PassOver if the target is an address, leads out of the root, or means no file
 */
export async function linkedFiles(from: CatalogFile, target: string, source: CatalogSource): Promise<CatalogFile[]> {
  if (/^[a-z][a-z0-9+.-]+:/i.test(target)) {
    throw new PassOver(`${quoted(target)} is an address, and only files are read: fetch it, and name the file`);
  }
  const directory = dirname(from.path);
  if (!/[*?]/.test(target)) return [await linkedFile(from, target)];
  const fixed = /^[^*?]*\//.exec(target)?.[0] ?? "";
  if (/[{}[\]()!]/.test(target) || target.slice(fixed.length).includes("..")) {
    throw new PassOver(`${quoted(target)} is no pattern that is read here: beside names there may be *, ** and ?`);
  }
  requireWithin(from, target, resolve(directory, fixed));
  const names = await source.match(target, directory).catch(passOver);
  return Promise.all(names.map((name) => linkedFile(from, name)));
}

async function linkedFile(from: CatalogFile, target: string): Promise<CatalogFile> {
  const written = resolve(dirname(from.path), target);
  requireWithin(from, target, written);
  const path = await realpath(written).catch((error: NodeJS.ErrnoException) => {
    throw new PassOver(
      `${quoted(target)} cannot be read: ${error.code === "ENOENT" ? "there is no such file" : error.message}`,
    );
  });
  requireWithin(from, target, path);
  return { name: join(dirname(from.name), target), path, root: from.root };
}

function requireWithin({ root }: CatalogFile, target: string, path: string): void {
  if (!isWithin(root, path)) throw new PassOver(`${quoted(target)} leads out of ${root}: name that file too`);
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
