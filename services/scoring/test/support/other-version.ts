import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { useDirectory } from "./service-process.ts";

const shipped = new URL("../../../../packages/reliability/src/index.ts", import.meta.url);

/**
 * A folder in which `@maturity/reliability` is installed in another version, for one test.
 *
 * @param changes members of its scorecard, as JavaScript
 */
export async function useOtherVersion(version: string, changes = ""): Promise<string> {
  const directory = await useDirectory();
  const place = join(directory, "node_modules/@maturity/reliability");
  await mkdir(place, { recursive: true });
  const about = { name: "@maturity/reliability", version, type: "module", exports: "./index.js" };
  await writeFile(join(place, "package.json"), JSON.stringify(about));
  await writeFile(
    join(place, "index.js"),
    `import { reliability as shipped } from ${JSON.stringify(fileURLToPath(shipped))};
     export const reliability = { ...shipped, ${changes} package: { ...shipped.package, version: "${version}" } };`,
  );
  return directory;
}
