import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { target } from "../test/support/cli.ts";
import { lcov, trivy } from "../test/support/sample-reports.ts";

const run = promisify(execFile);

/** Tarballs of the packages, as a registry has them. */
const packed: string[] = [];
let folder: string;
let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  folder = await mkdtemp(join(tmpdir(), "maturity-packed-"));
  const tarballs = join(folder, "tarballs");
  const pipeline = join(folder, "pipeline");
  await mkdir(tarballs);
  await mkdir(pipeline);
  await run("pnpm", ["build", "--filter=@maturity/cli"], { cwd: repository });
  await run("pnpm", ["-r", "--filter=@maturity/cli...", "pack", "--pack-destination", tarballs], { cwd: repository });
  for (const name of await readdir(tarballs)) if (!isPrivate(name)) packed.push(join(tarballs, name));
  await writeFile(join(pipeline, "package.json"), "{}");
  await install(packed.filter((path) => !isOfCollect(path)));
  await writeFile(join(pipeline, "trivy.json"), trivy);
  await writeFile(join(pipeline, "lcov.info"), lcov("cart.ts", 1, 2, 3, 4));
}, 240_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A private package is bundled into those that use it, and never published. */
function isPrivate(tarball: string): boolean {
  const folder = tarball.replace(/^maturity-(.+)-[\d.]+\.tgz$/, "$1");
  return JSON.parse(readFileSync(join(repository, "packages", folder, "package.json"), "utf8")).private === true;
}

const isOfCollect = (path: string) => path.includes("maturity-collect-");

/** Of a package that is not among them npm takes that of the registry. */
const install = (packages: readonly string[]) =>
  run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: join(folder, "pipeline") });

/** Others than the Node that runs this, from the npm registry, where TEST_RUNTIMES names them: `node@20`. */
const others = (process.env.TEST_RUNTIMES ?? "").split(",").filter((name) => name.startsWith("node@"));

describe.each(["this Node", ...others])("installed as it is published, on %s", (runtime) => {
  /** `maturity` as a pipeline calls it. */
  async function maturity(...argv: string[]) {
    const [command = "", ...args] =
      runtime === "this Node"
        ? ["npx", "--no", "--", "@maturity/cli", ...argv]
        : ["npx", "--yes", "--package", runtime, "--", "node", "node_modules/.bin/maturity", ...argv];
    // Of an npx that runs the tests, this would name the packages of the npx here.
    const { npm_config_package: _, ...inherited } = process.env;
    const env = { ...inherited, ...target, MATURITY_URL: service.server.info.uri };
    return run(command, args, { cwd: join(folder, "pipeline"), env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  test("it finds its packages through links, as those of pnpm", async () => {
    const [command, ...args] =
      runtime === "this Node" ? [process.execPath] : ["npx", "--yes", "--package", runtime, "--", "node"];
    const { stdout } = await run(command, [...args, join(repository, "packages/cli/dist/main.js"), "formats"]);
    expect(stdout).toMatch(/^trivy /m);
  });

  test("it sends a score", async () => {
    const { code, stdout, stderr } = await maturity("submit", "--metric", "image_scan", "trivy.json");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringMatching(/^image_scan 37\.89 /) });
  });

  test("it scores by itself", async () => {
    const { code, stdout } = await maturity("gate", "--min", "80", "--metric", "unit_coverage", "lcov.info");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining("at least 68 (3 more of the 10 lines)"),
    });
  });

  test("it knows its version, and checks what it is given", async () => {
    const { stdout } = await maturity("--version");
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await maturity("doctor")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`program ${stdout.trim()}`),
    });
  });

  test("it collects where @maturity/collect is installed beside it, and else says how to have it", async () => {
    await run("npm", ["uninstall", "--no-audit", "--no-fund", "@maturity/collect"], { cwd: join(folder, "pipeline") });
    const file = {
      sources: { db: { postgres: inject("postgresUrl") } },
      target: { area: "a", team: "t", app: "$app" },
    };
    const query = { name: "q", source: "db", query: "SELECT 'cart' AS app, 99.5 AS pct", metric: "sla" };
    const queries = [{ ...query, raw: { availability_pct: "$pct" }, target: { env: "prod" } }];
    await writeFile(join(folder, "pipeline/collect.yaml"), JSON.stringify({ ...file, queries }));
    expect(await maturity("collect", "--dry-run", "collect.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("npx -y -p @maturity/cli -p @maturity/collect maturity collect"),
    });
    await install(packed);
    expect(await maturity("collect", "--dry-run", "collect.yaml")).toMatchObject({
      code: 0,
      stdout: 'q (sla): 1 to send\n  a / t / cart / prod {"availability_pct":99.5}\n',
    });
  });
});
