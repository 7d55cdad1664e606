import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { useDirectory } from "../../../test-support/trees.ts";
import { action, systems, template } from "../test/support/ci-systems.ts";
import { type TestServer, useServer } from "../test/support/collecting.ts";
import { addNpm, useShell } from "../test/support/shell.ts";

/** A registry of npm that has @maturity/cli 9.8.7, whose program is this script. */
async function useRegistry(script: string): Promise<TestServer> {
  const manifest = { name: "@maturity/cli", version: "9.8.7", bin: { maturity: "main.js" } };
  const directory = await useDirectory();
  await mkdir(join(directory, "package"));
  await writeFile(join(directory, "package/package.json"), JSON.stringify(manifest));
  await writeFile(join(directory, "package/main.js"), `#!/usr/bin/env node\n${script}\n`);
  await promisify(execFile)("tar", ["-czf", "cli.tgz", "package"], { cwd: directory });
  const tarball = await readFile(join(directory, "cli.tgz"));
  const registry: TestServer = await useServer(({ url = "" }, response) => {
    if (url.endsWith(".tgz")) response.end(tarball);
    else if (decodeURIComponent(url) === "/@maturity/cli") {
      const version = { ...manifest, dist: { tarball: `${registry.url}/cli.tgz` } };
      const tags = { latest: "9.8.7" };
      response.end(JSON.stringify({ name: "@maturity/cli", "dist-tags": tags, versions: { "9.8.7": version } }));
    } else response.writeHead(404).end("{}");
  });
  return registry;
}

test.each([
  ["no registry", { version: "0.1.0" }, "give the input registry"],
  ["a registry that is an option", { registry: "--prefix=.", version: "0.1.0" }, "give the input registry"],
  ["a range", { registry: "https://npm.example.com", version: "^0.1.0" }, "give the input version in full"],
  ["a major version", { registry: "https://npm.example.com", version: "0" }, "give the input version in full"],
  ["a tag", { registry: "https://npm.example.com", version: "latest" }, "give the input version in full"],
  ["two lines", { registry: "https://npm.example.com", version: "0.1.0\nnpm:x" }, "give the input version in full"],
])("the action installs nothing by %s", async (_, inputs, message) => {
  const shell = await useShell({ maturity: false });
  await addNpm(shell);
  const said = { code: 2, stderr: expect.stringContaining(message) };
  expect(await systems.GitHub(shell, { command: "gate", min: "1", files: "trivy.json", ...inputs })).toMatchObject(
    said,
  );
  await expect(readFile(join(shell.directory, "installed"))).rejects.toThrow("ENOENT");
});

test("the action installs what its registry has, whatever the repository says", async () => {
  const good = await useRegistry("console.log('of the registry', process.argv[2], require('fs').readdirSync('.')[0])");
  const stranger = await useRegistry("console.log('of a stranger')");
  const shell = await useShell({ maturity: false });
  await shell.write(".npmrc", `registry=${stranger.url}\n@maturity:registry=${stranger.url}\nignore-scripts=false\n`);
  for (const path of ["node_modules/.bin/maturity", "node_modules/@maturity/cli/main.js"]) {
    await shell.program(`./${path}`, "echo of the repository");
  }
  const home = await useDirectory();
  const inputs = { command: "gate", registry: good.url, version: "9.8.7" };
  expect(await systems.GitHub(shell, inputs, { HOME: home })).toMatchObject({
    code: 0,
    stdout: "of the registry gate .npmrc\n",
  });
  expect(good.requests.length).toBeGreaterThan(0);
  expect(stranger.requests).toEqual([]);
});

test("the component installs the program as the action does", () => {
  const installing = (script: string) =>
    script.slice(script.indexOf('case "$IN_REGISTRY"')).replace(/\s+/g, " ").trim();
  expect(installing(parse(action).runs.steps[0].run)).toContain("npm install");
  expect(installing(template)).toBe(installing(parse(action).runs.steps[0].run));
});
