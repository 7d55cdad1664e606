import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { npmUser } from "../test/support/npm-registry.ts";
import { freePort } from "../test/support/postgres.ts";
import { until } from "../test/support/service.ts";
import { Checkout } from "./support/checkout.ts";
import { startVerdaccio, type Verdaccio } from "./support/verdaccio.ts";

let folder: string;
let registry: Verdaccio;
let checkout: Checkout;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "maturity-releases-"));
  registry = await startVerdaccio(join(folder, "registry"), ["@maturity", "@acme"]);
  env = await npmUser(join(folder, "home"), registry.npmrc);
  checkout = await Checkout.create(join(folder, "checkout"), registry.npmrc);
  await checkout.release();
});
afterAll(async () => {
  registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program in a folder of the user's, on a version of Node that npm's registry has. */
async function on(node: number, directory: string, command: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const cwd = join(folder, directory);
  await mkdir(cwd, { recursive: true });
  const args = ["--yes", "--package", `node@${node}`, "--", "sh", "-ec", command];
  const options = { cwd, env: { ...env, ...more }, maxBuffer: 1 << 26 };
  return (await promisify(execFile)("npx", args, options)).stdout;
}

/** The service of a folder, until the test ends. */
async function serve(node: number, directory: string, scorecards: readonly string[]): Promise<string> {
  const port = await freePort();
  const service: ChildProcess = spawn(
    "npx",
    ["--yes", "--package", `node@${node}`, "--", "node", "node_modules/@maturity/service/dist/main.js"],
    {
      cwd: join(folder, directory),
      env: { ...env, PORT: String(port), DATABASE_URL: "pglite::memory:", SCORECARDS: scorecards.join(",") },
      stdio: "ignore",
      detached: true,
    },
  );
  onTestFinished(() => {
    if (service.pid) process.kill(-service.pid, "SIGKILL"); // npx and what it started
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true;
  });
  return url;
}

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const shipped = ["@maturity/security", "@maturity/reliability", "@maturity/application"];
const install = "npm init --yes >/dev/null; npm install --no-audit --no-fund --loglevel=error";

async function report(url: string, scorecard: string, metric: string, raw: object): Promise<Answer> {
  const body = JSON.stringify({ ...target, scorecard, metric, raw });
  const response = await fetch(`${url}/score`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return (await response.json()) as Answer;
}

interface Answer {
  readonly score: number;
  readonly scorer: string;
}

describe.each([22, 24])("the first release, installed in empty folders on Node %i", (node) => {
  test("serves a scorecard that create-scorecard wrote, and takes what the CLI and the client send", async () => {
    const home = `node-${node}`;
    const name = `@acme/cost-${node}`;
    await on(node, home, `npm create @maturity/scorecard ${name} -- --scorecard cost --registry ${registry.url}`);
    await on(node, `${home}/cost-${node}`, "npm install --no-audit --no-fund --loglevel=error; npm test");
    await on(node, `${home}/cost-${node}`, "npm publish --loglevel=error");
    await on(node, `${home}/service`, `${install} @maturity/service ${name}`);
    const url = await serve(node, `${home}/service`, [...shipped, name]);
    expect(await report(url, "cost", "budget", { spent_pct: 120 })).toMatchObject({
      score: 60,
      scorer: `${name}@1.0.0`,
    });

    const settings = Object.entries({ ...target, url }).map(([key, value]) => [`MATURITY_${key.toUpperCase()}`, value]);
    const submit = "npx maturity submit --metric image_scan --raw critical=0 --raw high=3 --raw medium=12";
    const printed = await on(
      node,
      `${home}/pipeline`,
      `${install} @maturity/cli; ${submit}`,
      Object.fromEntries(settings),
    );
    expect(printed).toMatch(/^image_scan 53\.59 by @maturity\/security@\d/m);

    await on(node, `${home}/script`, `${install} @maturity/client`);
    expect(await on(node, `${home}/script`, `node --input-type=module --eval '${sending(url)}'`)).toBe("100\n");

    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const metric of ["budget", "image_scan", "sla"])
      expect(metrics).toMatch(new RegExp(`metric="${metric}"\\} [\\d.]+$`, "m"));
  });
});

/** A program that sends a score by the client, and prints it. */
const sending = (url: string) => `
  import { createClient } from "@maturity/client";
  const { score } = await createClient({ url: "${url}" }).submit({
    ...${JSON.stringify(target)}, scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 },
  });
  console.log(score);`;

test("the libraries and the CLI run on Node 20, and what does not says so", async () => {
  const libraries = ["core", "security", "reports", "client", "catalog", "collect", "cli"].map(
    (name) => `@maturity/${name}`,
  );
  await on(20, "node-20", `${install} ${libraries.join(" ")}`);
  const scoring = `
    import { createEngine } from "@maturity/core";
    import { security } from "@maturity/security";
    import "@maturity/catalog"; import "@maturity/client"; import "@maturity/collect"; import "@maturity/reports";
    console.log(process.version, createEngine([security]).score("security", "secret_scan", { found: false }).score);`;
  expect(await on(20, "node-20", `node --input-type=module --eval '${scoring}'`)).toMatch(/^v20\..* 100\n$/);
  expect(await on(20, "node-20", "npx maturity --version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  await expect(on(20, "node-20", "npm create @maturity/scorecard @acme/cost")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/create-scorecard needs Node 22\.18 or newer, as the service does; this is 20\./),
  });
});

test("pnpm creates a scorecard too", async () => {
  const cwd = join(folder, "pnpm");
  await mkdir(cwd);
  await writeFile(join(cwd, ".npmrc"), registry.npmrc);
  await promisify(execFile)("pnpm", ["create", "@maturity/scorecard", "@acme/docs", "--count", "dead_links"], {
    cwd,
    env,
  });
  expect(await readFile(join(cwd, "docs/index.js"), "utf8")).toContain('name: "dead_links"');
});

test("a second release moves a score, and its change log says so", async () => {
  await on(24, "second", `${install} @maturity/service`);
  const scans = { critical: 0, high: 3, medium: 12 };
  const before = await report(await serve(24, "second", shipped), "security", "image_scan", scans);

  await checkout.replace("packages/security/src/image-scan.ts", "high: 5", "high: 4");
  const change = "Scores of `image_scan` with high findings fall: every 4 of them halve the score, no longer every 5.";
  await checkout.write(".changeset/graver.md", `---\n"@maturity/security": minor\n---\n\n${change}\n`);
  await checkout.release();

  await on(24, "second", "npm install --no-audit --no-fund --loglevel=error @maturity/service@latest");
  const after = await report(await serve(24, "second", shipped), "security", "image_scan", scans);
  expect([before.score, after.score]).toEqual([53.59, 48.3]);
  expect(after.scorer).not.toBe(before.scorer);
  const log = await readFile(join(folder, "second/node_modules/@maturity/security/CHANGELOG.md"), "utf8");
  const [, version = ""] = /@(\d[\d.]*)$/.exec(after.scorer) ?? [];
  expect(log).toContain(`## ${version}\n`);
  expect(log.split("\n## ")[1]).toContain(change);
});
