import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { ExecutedPage } from "../test/support/executed-page.ts";
import { blocks } from "../test/support/markdown.ts";
import { type NpmRegistry, npmUser, startNpmRegistry } from "../test/support/npm-registry.ts";
import { createDatabase } from "../test/support/service.ts";

let folder: string;
let registry: NpmRegistry;
let page: ExecutedPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "maturity-rules-"));
  registry = await startNpmRegistry(join(folder, "tarballs"));
  const env = await npmUser(join(folder, "home"), registry.npmrc);
  page = new ExecutedPage(folder, { ...env, DATABASE_URL: await createDatabase("postgres") });
}, 240_000);
afterAll(async () => {
  page?.stop();
  registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("docs/changing-rules.md works as it stands, with the packages as they are published", async () => {
  await page.execute("docs/changing-rules.md");
}, 240_000);

test.each(["github", "gitlab"])(
  "the job of %s installs all from the registry that the repository names",
  async (ci) => {
    const page = await blocks("docs/changing-rules.md");
    const { replay, jobs } = parse(page.find(({ info }) => info === ci)?.text ?? "");
    const lines: string[] = replay?.script ?? jobs.replay.steps.flatMap(({ run = "" }) => run.trim().split("\n"));
    const installing = lines.filter((line) => /^(mkdir|npm install)/.test(line));
    expect(installing).toHaveLength(3);
    const cwd = join(folder, `of-${ci}`);
    await mkdir(cwd);
    await copyFile(join(folder, "backups/package.json"), join(cwd, "package.json"));
    await writeFile(join(cwd, ".npmrc"), registry.npmrc);
    const env = await npmUser(join(folder, `home-of-${ci}`), "");
    await promisify(execFile)("sh", ["-ec", installing.join("\n")], { cwd, env });
    const { version } = JSON.parse(await readFile(join(cwd, "before/node_modules/@acme/backups/package.json"), "utf8"));
    expect(version).toBe("1.1.0");
  },
  240_000,
);
