import { readFile } from "node:fs/promises";

/**
 * The name, version and licence of each package that these files are of, but not of those of this repository.
 *
 * @param files paths, such as `/…/node_modules/preact/dist/preact.mjs`
 * @throws Error of the file system if a package came without its licence
 */
export async function licencesOf(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file) ?? []));
  const notices = [...folders].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(`${folder}package.json`, "utf8"));
    return `${name} ${version}\n\n${await readFile(`${folder}LICENSE`, "utf8")}`;
  });
  return (await Promise.all(notices)).join("\n\n");
}
