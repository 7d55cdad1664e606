import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const published = globSync("{packages,services}/*/package.json", { cwd: repository })
  .map((path) => ({ path, manifest: JSON.parse(read(path)) }))
  .filter(({ manifest }) => !manifest.private);

test.each(published)("the change log beside $path is shipped, and begins with the version of the package", (entry) => {
  const { name, version, files } = entry.manifest;
  expect(files).toContain("CHANGELOG.md");
  const log = read(entry.path.replace("package.json", "CHANGELOG.md"));
  expect(log.startsWith(`# ${name}\n\n## ${version}\n`), log.slice(0, 80)).toBe(true);
});

test("the change log of the repository has each version of the service", () => {
  const versions = (path: string) => [...read(path).matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version]) => version);
  const minor = versions("services/scoring/CHANGELOG.md").filter((version) => version?.endsWith(".0"));
  expect(minor).not.toEqual([]);
  expect(versions("CHANGELOG.md")).toEqual(expect.arrayContaining(minor));
});
