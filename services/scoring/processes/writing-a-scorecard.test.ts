import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ExecutedPage } from "../test/support/executed-page.ts";
import { blocks } from "../test/support/markdown.ts";
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

test("without a registry, its commands lead from an empty folder to a service with the scorecard", async () => {
  const empty = join(folder, "without-registry");
  await mkdir(empty);
  const without = new ExecutedPage(empty, await npmUser(join(folder, "of-nobody"), ""));
  onTestFinished(() => without.stop());
  const all = await blocks("docs/writing-a-scorecard.md");
  const commands = all.filter(({ info }) => info === "without-registry");
  expect(commands.length).toBeGreaterThan(0);
  for (const { text } of commands) {
    const packed = text.replaceAll(/\/tmp\/maturity\/maturity-([a-z-]+)-\d+\.\d+\.\d+\.tgz/g, (path, name) =>
      String(registry.tarballs.get(`@maturity/${name}`) ?? path),
    );
    await without.run(packed.replaceAll("/tmp/maturity/", join(folder, "tarballs/")));
  }
  const start = all.findLast(({ info }) => info === "background");
  await without.serve(String(start?.text));
  const { items } = (await (await fetch(`${without.address}/scorecards`)).json()) as { items: { scorecard: string }[] };
  expect(items.map(({ scorecard }) => scorecard)).toContain("cost");
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
  const document = await (await fetch(`${address}/docs/api`)).text();
  for (const [, path] of document.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await fetch(new URL(path ?? "", `${address}/docs/api`))).status, path).toBe(200);
  }
});

test("the pipelines test each pull request, and ask each that changes the scorecard for another version", async () => {
  const [name, email] = ["Ann", "ann@example.com"];
  const env = {
    ...(await npmUser(join(folder, "of-gitlab"), registry.npmrc)),
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
  const cwd = join(folder, "cost-of-gitlab");
  const shell = (commands: string, more = {}) => run("sh", ["-ec", commands], { cwd, env: { ...env, ...more } });
  await mkdir(cwd);
  await shell(`npm create @maturity/scorecard @acme/cost -- --ci gitlab --folder cost
    cd cost
    npm install --no-audit --no-fund
    git init --quiet --initial-branch main
    git add --all
    git commit --quiet --message First
    git clone --quiet --bare . ../remote.git
    git remote add origin ../remote.git
    git switch --quiet --create change
    sed -i.bak 's/nothing spent/not a cent/' index.test.js
    rm index.test.js.bak
    git commit --quiet --all --message Words`);
  const { test: job } = parse(await readFile(join(cwd, "cost/.gitlab-ci.yml"), "utf8"));
  const pipeline = (source: string) => shell(["cd cost", ...job.script].join("\n"), { CI_PIPELINE_SOURCE: source });
  expect((await pipeline("push")).stdout).toMatch(/^ℹ fail 0$|^# fail 0$/m);
  await pipeline("merge_request_event");
  await shell(`cd cost
    sed -i.bak 's/weight: 60/weight: 50/' index.js
    rm index.js.bak
    git commit --quiet --all --message Change`);
  await pipeline("push");
  await expect(pipeline("merge_request_event")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the scorecard changed, so it needs another version"),
  });
  await shell("cd cost && npm version --no-git-tag-version minor && git commit --quiet --all --message Version");
  await pipeline("merge_request_event");
}, 240_000);

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}
