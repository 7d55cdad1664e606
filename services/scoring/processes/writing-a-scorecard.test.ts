import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocks, repository } from "../test/support/markdown.ts";
import { freePort } from "../test/support/postgres.ts";
import { until } from "../test/support/service.ts";

const run = promisify(execFile);

let folder: string;
let tarballs: ReadonlyMap<string, string>;
let service: ChildProcess | undefined;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "maturity-docs-"));
  tarballs = await packAll(join(folder, "tarballs"));
}, 240_000);
afterAll(async () => {
  if (service?.pid) process.kill(-service.pid, "SIGKILL"); // npx and what it started
  await rm(folder, { recursive: true, force: true });
});

test("docs/writing-a-scorecard.md works as it stands, with the packages as they are published", async () => {
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  let directory = folder;
  let answer = "";
  for (const { language, info, text } of await blocks("docs/writing-a-scorecard.md")) {
    const file = /^file=(\S+)$/.exec(info)?.[1];
    if (file) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    } else if (info === "background") {
      service = spawn("sh", ["-c", text], {
        cwd: directory,
        env: { ...process.env, PORT: String(port) },
        stdio: "ignore",
        detached: true,
      });
      await until(async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.ok === true);
    } else if (language === "sh") {
      answer = await shell(withTarballs(text).replaceAll("http://127.0.0.1:8080", address));
    } else if (info === "output") {
      expect(JSON.parse(answer)).toMatchObject(JSON.parse(text));
    }
  }

  /** Runs the commands where the former ones left off, and returns what they print. */
  async function shell(commands: string): Promise<string> {
    const child = spawn("sh", ["-ec", `${commands}\npwd >&3`], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const [stdout, stderr, pwd] = await Promise.all([1, 2, 3].map((index) => textOf(child.stdio[index] as Readable)));
    expect(await closed, `${commands}\n${stdout}\n${stderr}`).toEqual([0, null]);
    directory = pwd?.trim() || directory;
    return stdout ?? "";
  }
}, 240_000);

test("nothing runs at the installation of any package", async () => {
  const pipeline = join(folder, "pipeline");
  await mkdir(pipeline);
  await writeFile(join(pipeline, "package.json"), "{}");
  // What a script would do is not waited for: the lock file names the packages that have one.
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs.values()], { cwd: pipeline });
  const { packages } = JSON.parse(await readFile(join(pipeline, "package-lock.json"), "utf8")) as Lock;
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining([...tarballs.keys()].map((name) => `node_modules/${name}`)),
  );
  expect(Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
}, 240_000);

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

test("the started service shows the weights, the score and the description of the scorecard", async () => {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toContain('maturity_scorecard_weight{scorecard="cost",dimension="run"} 20\n');
  expect(metrics).toMatch(/^maturity_score\{.*scorecard="cost",metric="budget"\} 60(\.00)?$/m);
  const { components } = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
  expect(components.schemas["raw.cost.budget"]?.properties).toMatchObject({ spent_pct: { maximum: 10_000 } });
  expect(components.schemas["raw.cost.idle_resources"]?.properties).toMatchObject({ idle: { type: "integer" } });
  const page = await (await fetch(`${address}/docs`)).text();
  for (const [, path] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await fetch(new URL(path ?? "", `${address}/docs`))).status, path).toBe(200);
  }
});

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

/** The command, with what would come from the registry coming from here. */
function withTarballs(text: string): string {
  return text.replace(/^npm install .*$/gm, (line) => {
    const packages = [...tarballs.values()].join(" ");
    if (line.includes("@maturity/service")) return line.replace("@maturity/service", packages);
    const core = tarballs.get("@maturity/core") ?? "";
    const version = /-core-(.*)\.tgz$/.exec(core)?.[1];
    return `${line.replace("@maturity/core", core)}\nnpm pkg set "peerDependencies.@maturity/core=^${version}"`;
  });
}

/** Builds and packs what is published: package name → tarball. */
async function packAll(destination: string): Promise<Map<string, string>> {
  await mkdir(destination);
  await run("pnpm", ["build"], { cwd: repository });
  await run(
    "pnpm",
    ["-r", "--filter=./packages/*", "--filter=./services/*", "pack", "--pack-destination", destination],
    {
      cwd: repository,
    },
  );
  const files = await readdir(destination);
  return new Map(
    files.map((file) => [`@maturity/${/^maturity-(.*?)-\d/.exec(file)?.[1] ?? ""}`, join(destination, file)]),
  );
}
