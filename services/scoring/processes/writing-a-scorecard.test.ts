import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExecutedPage } from "../test/support/executed-page.ts";
import { type NpmRegistry, npmUser, startNpmRegistry } from "../test/support/npm-registry.ts";

const run = promisify(execFile);

let folder: string;
let registry: NpmRegistry;
let page: ExecutedPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "maturity-docs-"));
  registry = await startNpmRegistry(join(folder, "tarballs"));
  page = new ExecutedPage(folder, await npmUser(join(folder, "home"), registry.npmrc));
}, 240_000);
afterAll(async () => {
  page?.stop();
  registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("docs/writing-a-scorecard.md works as it stands, with the packages as they are published", async () => {
  await page.execute("docs/writing-a-scorecard.md");
}, 240_000);

test("nothing runs at the installation of any package", async () => {
  const pipeline = join(folder, "pipeline");
  await mkdir(pipeline);
  await writeFile(join(pipeline, "package.json"), "{}");
  // What a script would do is not waited for: the lock file names the packages that have one.
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...registry.tarballs.values()], {
    cwd: pipeline,
  });
  const { packages } = JSON.parse(await readFile(join(pipeline, "package-lock.json"), "utf8")) as Lock;
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining([...registry.tarballs.keys()].map((name) => `node_modules/${name}`)),
  );
  expect(Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
}, 240_000);

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

test("the started service shows the weights, the score and the description of the scorecard", async () => {
  const { address } = page;
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toContain('maturity_scorecard_weight{scorecard="cost",dimension="run"} 20\n');
  expect(metrics).toMatch(/^maturity_score\{.*scorecard="cost",metric="budget"\} 60(\.00)?$/m);
  const { components } = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
  expect(components.schemas["raw.cost.budget"]?.properties).toMatchObject({ spent_pct: { maximum: 10_000 } });
  expect(components.schemas["raw.cost.idle_resources"]?.properties).toMatchObject({ idle: { type: "integer" } });
  const document = await (await fetch(`${address}/docs`)).text();
  for (const [, path] of document.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await fetch(new URL(path ?? "", `${address}/docs`))).status, path).toBe(200);
  }
});

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}
