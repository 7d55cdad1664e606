import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { blocks, repository } from "../../../services/scoring/test/support/markdown.ts";
import corePackage from "../../core/package.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import { run } from "./run.ts";

/** The program in a folder of its own; `answers` are what a person types. */
async function create(argv: readonly string[], answers?: string, prepare = async (_: string) => {}) {
  const cwd = await mkdtemp(join(tmpdir(), "maturity-create-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await prepare(cwd);
  const printed = { stdout: "", stderr: "", asked: "" };
  const into = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const input = new PassThrough();
  if (answers !== undefined) input.end(answers);
  const terminal = answers === undefined ? undefined : { input, output: into("asked") };
  const code = await run(argv, { cwd, terminal, stdout: into("stdout"), stderr: into("stderr") });
  const files = (await readdir(cwd, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1)).sort();
  const read = (path: string) => readFile(join(cwd, path), "utf8");
  return { code, ...printed, paths, read, cwd };
}

const all = [".github/workflows/ci.yml", ".gitignore", "index.js", "index.test.js", "package.json"];

describe("with arguments", () => {
  test("it writes the example, asks nothing, and says what to do", async () => {
    const { code, paths, stdout, stderr } = await create(["@acme/cost"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(paths).toEqual(all.map((path) => `cost/${path}`));
    expect(stdout).toContain("  index.test.js\n");
    expect(stdout).toContain("\n  cd cost\n  npm install\n  npm test\n\nThen give index.js your inputs and curves");
    expect(stdout).toMatch(/SCORECARDS names @acme\/cost\.\n$/);
  });

  test("it writes the metrics that are named", async () => {
    const { paths, read } = await create([
      "docs",
      "--value",
      "pages.open_pct",
      "--count",
      "dead_links",
      "--count=scan.critical+vulnerabilities",
      "--weight=2.5",
    ]);
    expect(paths).toEqual(all.map((path) => `docs/${path}`));
    expect(await read("docs/index.js")).toContain(
      'inputs: { open_pct: { label: "pages", unit: "%", min: 0, max: 10_000 } },',
    );
    expect(await read("docs/index.js")).toContain(
      'inputs: { count: { unit: ["dead link", "dead links"], max: 1_000_000 } },',
    );
    for (const unit of [
      'critical: { unit: ["critical finding", "critical findings"]',
      '["vulnerability", "vulnerabilities"]',
    ]) {
      expect(await read("docs/index.js")).toContain(unit);
    }
    expect(await read("docs/index.js")).toContain("weight: 2.5,");
    expect(await read("docs/index.js")).toContain("metrics: [pages, deadLinks, scan],");
  });

  test("it takes the dashes that npm wants and npx hands on", async () => {
    const { read } = await create(["@acme/docs", "--", "--scorecard", "pages"]);
    expect(await read("docs/index.js")).toContain('name: "pages"');
  });

  test("it depends on no validator, and on every core that understands the contract", async () => {
    const { read } = await create(["docs", "--count", "dead_links"]);
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(await read("docs/package.json"));
    expect(dependencies).toBeUndefined();
    expect(peerDependencies).toEqual({ "@maturity/core": `>=${packageJson.version}` });
    expect(devDependencies).toEqual(corePackage.peerDependencies);
    expect(await read("docs/index.test.js")).not.toContain("notANumber");
  });

  test("it makes the scorecard's name of the package's, or takes it", async () => {
    const { read } = await create(["@acme/maturity-2.cloud-cost"]);
    expect(await read("maturity-2.cloud-cost/index.js")).toContain('name: "maturity_2_cloud_cost"');
    const { read: readOther } = await create([
      "@acme/9",
      "--scorecard",
      "cost",
      "--dimension=build",
      "--folder",
      "a b/c",
    ]);
    expect(await readOther("a b/c/index.js")).toContain('dimension: "build"');
  });

  test.each([
    ["@acme/cost", ["@maturity", "@acme"]],
    ["@maturity/cost", ["@maturity"]],
    ["cost", ["@maturity"]],
  ])("it writes the registry for the packages of Maturity and the scope of %s alone", async (name, scopes) => {
    const { read } = await create([name, "--registry", "https://npm.example.com/npm"]);
    const lines = scopes.map((scope) => `${scope}:registry=https://npm.example.com/npm\n`);
    expect(await read("cost/.npmrc")).toBe(lines.join(""));
  });

  test("it writes metrics of several inputs", async () => {
    const { read } = await create(["x", "--value=updates.oldest_days+behind_pct", "--count=findings.high+low"]);
    const updates = await read("x/index.js");
    expect(updates).toContain(
      'import { defineMetric, defineScorecard, halving, lowestOf, piecewise } from "@maturity/core";',
    );
    expect(updates).toContain('    oldest_days: { label: "oldest days", min: 0, max: 10_000 },');
    expect(updates).toContain('    piecewise("behind_pct", [');
    expect(await read("x/index.js")).toContain("score: halving({ high: 4, low: 4 }),");
    expect(await read("x/index.test.js")).toContain(
      '"at 110": { raw: { oldest_days: 110, behind_pct: 0 }, score: 80 },',
    );
  });

  test("it writes the pipeline that is asked for", async () => {
    const { paths: ofGitLab, read } = await create(["@acme/cost", "--ci", "GitLab"]);
    expect(ofGitLab.filter((path) => /ci\.yml$/.test(path))).toEqual(["cost/.gitlab-ci.yml"]);
    expect(await read("cost/.gitlab-ci.yml")).toContain("- npm test\n");
    const { paths: ofNone } = await create(["@acme/cost", "--ci=none"]);
    expect(ofNone.filter((path) => path.endsWith(".yml"))).toEqual([]);
  });

  test("git leaves out what names applications", async () => {
    const { cwd } = await create(["@acme/cost"]);
    const names = ["export.jsonl", "replay.md"];
    const git = (...parameters: string[]) => promisify(execFile)("git", parameters, { cwd: join(cwd, "cost") });
    await git("init", "--quiet");
    expect((await git("check-ignore", ...names)).stdout).toBe(`${names.join("\n")}\n`);
  });

  test("it takes an empty folder", async () => {
    const { code, paths } = await create(["@acme/cost"], undefined, (cwd) => mkdir(join(cwd, "cost")).then());
    expect(code).toBe(0);
    expect(paths).toContain("cost/index.js");
  });

  test("it prints its usage", async () => {
    expect(await create(["--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Usage: npm create"),
      paths: [],
    });
  });
});

const rule = "must be lower case letters, digits and underscores, a letter first, at most 63; got";

describe("it writes nothing, and says why, for", () => {
  test.each<[string, string[], string]>([
    ["no package, and nobody to ask", [], "give the name of the package: npm create @maturity/scorecard @acme/cost"],
    ["two packages", ["a", "b"], "one PACKAGE is enough; got a b as well"],
    ["an unknown option", ["a", "--force"], "'--force'"],
    [
      "a path as package",
      ["../../etc"],
      "the package must have a name that npm takes, in lower case, such as @acme/cost",
    ],
    ["a package in capitals", ["@Acme/cost"], "in lower case"],
    ["a package that is an option of cd", ["@acme/-x"], "in lower case"],
    ["a package of two dots", [".."], "in lower case"],
    ["a module of Node", ["http"], "none of Node's own modules"],
    ["node_modules", ["node_modules"], "a name that npm takes"],
    ["a package with a quote", ['a"b'], "a name that npm takes"],
    ["a package of 215 characters", ["a".repeat(215)], "a name that npm takes"],
    ["a package of no letters", ["@acme/9"], `name ${rule} ""`],
    ["a scorecard in capitals", ["a", "--scorecard=Cost"], `Cost: name ${rule} "Cost"`],
    ["a scorecard with a quote", ["a", '--scorecard=a", x: "'], `name ${rule} "a\\", x: \\""`],
    ["a scorecard of a line's end", ["a", "--scorecard=a\n"], `name ${rule} "a\\n"`],
    ["a dimension with a space", ["a", "--dimension=in use"], `dimension ${rule} "in use"`],
    ["weight 0", ["a", "--weight=0"], "a: weight must be a number above 0, at most 1000000; got 0"],
    ["a weight in words", ["a", "--weight=much"], "a: weight must be a number above 0, at most 1000000; got NaN"],
    ["no weight", ["a", "--weight="], "a: weight must be a number above 0, at most 1000000; got 0"],
    ["a metric that is code", ["a", "--value=x});process.exit("], `${rule} "x});process`],
    ["a metric that is a path", ["a", "--count=../x"], "takes METRIC, METRIC.FIELD or METRIC.FIELD+FIELD"],
    ["a metric __proto__", ["a", "--count=__proto__"], `a.__proto__: name ${rule}`],
    ["a field __proto__", ["a", "--count=x.__proto__"], `a.x: field ${rule} "__proto__"`],
    ["a field with a dash", ["a", "--count=x.a-b"], `a.x: field ${rule} "a-b"`],
    ["a field twice", ["a", "--count=x.b+b"], 'a.x: another field of it already has this name; got "b"'],
    ["no field behind a plus", ["a", "--value=x.b+"], `a.x: field ${rule} ""`],
    ["another CI", ["a", "--ci=jenkins"], '--ci must be one of github, gitlab, none; got "jenkins"'],
    ["a metric twice", ["a", "--count=x", "--value=x"], "a.x: another metric of the scorecard already has this name"],
    ["a registry that is no address", ["a", "--registry=npm"], "--registry must be an address such as https://npm"],
    ["a registry of another protocol", ["a", "--registry=file:///x"], "--registry must be an address"],
    ["a registry with a password", ["a", "--registry=https://u:p@npm.example.com"], "without a password"],
    ["the folder in which one is", ["a", "--folder=."], "is where you are"],
    ["a folder above", ["a", "--folder=.."], "is where you are"],
  ])("%s", async (_, argv, message) => {
    const { code, stderr, stdout, paths } = await create(argv);
    expect({ code, stdout, paths }).toEqual({ code: 2, stdout: "", paths: [] });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/; nothing is written\n$/);
  });

  test("a folder with something in it", async () => {
    const prepare = async (cwd: string) => {
      await mkdir(join(cwd, "cost"));
      await writeFile(join(cwd, "cost/.env"), "mine");
    };
    const { code, stderr, paths, read } = await create(["@acme/cost"], undefined, prepare);
    expect({ code, paths }).toEqual({ code: 2, paths: ["cost/.env"] });
    expect(stderr).toContain("cost is not empty; name another folder;");
    expect(await read("cost/.env")).toBe("mine");
  });

  test("a folder that is a file", async () => {
    const { code, stderr, paths } = await create(["cost"], undefined, (cwd) => writeFile(join(cwd, "cost"), ""));
    expect({ code, paths }).toEqual({ code: 2, paths: ["cost"] });
    expect(stderr).toContain("cost cannot be used: ENOTDIR");
  });

  test("a folder within a file, and leaves no folder behind", async () => {
    const prepare = (cwd: string) => writeFile(join(cwd, "x"), "");
    const { code, cwd } = await create(["cost", "--folder=x/y"], undefined, prepare);
    expect(code).toBe(2);
    expect(await readdir(cwd)).toEqual(["x"]);
  });
});

describe("names that a module cannot have", () => {
  test.each([
    ["default", "defaultMetric"],
    ["test", "testMetric"],
    ["define_metric", "defineMetricMetric"],
    ["cost", "costMetric"],
    ["constructor", "constructor"],
  ])("the metric %s is the constant %s", async (name, identifier) => {
    const { code, read } = await create(["cost", "--count", name]);
    expect(code).toBe(0);
    expect(await read("cost/index.js")).toContain(`const ${identifier} = defineMetric({`);
  });

  test("metrics whose names differ in an underscore, and one that is called as the scorecard, stay apart", async () => {
    const { read } = await create(["a_1", "--count=a_1", "--count=a1", "--count=a__1"]);
    expect(await read("a_1/index.js")).toContain("metrics: [a1Metric, a1MetricMetric, a1MetricMetricMetric],");
  });
});

describe("on a terminal", () => {
  test("it asks, proposes, and asks again where an answer cannot be used", async () => {
    const { code, asked, read } = await create(
      [],
      "Acme\n@acme/cloud-cost\nno name\n\nspend.pct\nidle, Idle\nidle, old_disks.n\nsvn\ngitlab\n",
    );
    expect(code).toBe(0);
    expect(asked).toContain("Package, such as @acme/cost: ");
    expect(asked).toContain('got "Acme"\n');
    expect(asked).toContain(`name ${rule} "no name"\n`);
    expect(asked).toContain(`cloud_cost.Idle: name ${rule} "Idle"\n`);
    expect(asked).toContain('--ci must be one of github, gitlab, none; got "svn"\n');
    expect(await read("cloud-cost/index.js")).toContain("metrics: [spend, idle, oldDisks],");
    expect(await read("cloud-cost/.gitlab-ci.yml")).toContain("npm test");
  });

  test("it asks nothing where the package is given", async () => {
    expect(await create(["cost"], "")).toMatchObject({ code: 0, asked: "" });
  });

  test("it writes nothing when the answers end", async () => {
    expect(await create([], "@acme/cost\n")).toMatchObject({
      code: 2,
      paths: [],
      stderr: expect.stringContaining("the answers ended"),
    });
  });
});

test("it prints what its README shows, and the README lists its options", async () => {
  const { stdout } = await create(["@acme/cost"]);
  const [block] = (await blocks("packages/create-scorecard/README.md")).filter(({ info }) => info === "output");
  expect(stdout).toBe(block?.text);
  const { stdout: usage } = await create(["--help"]);
  const readme = await readFile(join(repository, "packages/create-scorecard/README.md"), "utf8");
  const options = [...usage.matchAll(/^ {2}(--\w+)/gm)].map(([, option]) => option);
  expect([...readme.matchAll(/^\| `(--\w+)/gm)].map(([, option]) => option).sort()).toEqual(options.sort());
});

test("the core that is asked for is the one that is released with this package", () => {
  expect(packageJson.version).toBe(corePackage.version);
});
