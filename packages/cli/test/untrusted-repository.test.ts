import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { findSettingsFile } from "../src/settings-file.ts";
import { maturity, target } from "./support/cli.ts";

/** A repository with these files, as whoever proposes a change can fill it. */
async function useRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await useDirectory();
  await mkdir(join(directory, ".git"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(directory, name, ".."), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

/** A scorecard that says where it is from, and a mark on the process that it was loaded. */
const scorecard = (from: string) => `
  globalThis.loadedOfRepository = true;
  const raw = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } };
  export const cost = { contract: 1, name: "cost", dimension: "run", weight: 1,
    package: { name: "@acme/cost", version: "1.0.0" },
    metrics: [{ name: "budget", title: "Budget", weight: 1, raw,
      score: () => ({ score: 60, reasons: [{ field: "x", value: 1, text: "${from}" }] }) }] };`;

const installed = {
  "node_modules/@acme/cost/package.json": JSON.stringify({
    name: "@acme/cost",
    type: "module",
    exports: "./index.js",
  }),
  "node_modules/@acme/cost/index.js": scorecard("node_modules"),
};

const gate = ["gate", "--min", "0", "-m", "cost.budget", "--raw", "x=1"];
const isLoaded = () => Reflect.get(globalThis, "loadedOfRepository");

describe("code of the repository is not run by the word of its maturity.yaml", () => {
  test.each([
    ["a path", "./evil.mjs"],
    ["a path above", "../evil.mjs"],
    ["an absolute path", "/tmp/evil.mjs"],
    ["an address of a file", "file:///tmp/evil.mjs"],
    ["code in the name", "data:text/javascript,globalThis.loadedOfRepository=true"],
    ["a module of Node", "node:child_process"],
    ["a file of a package", "@acme/cost/index.js"],
    ["a private name", "#evil"],
    ["a path behind a name", "@acme/cost,./evil.mjs"],
  ])("%s", async (_, name) => {
    const cwd = await useRepository({ "evil.mjs": scorecard("evil"), "maturity.yaml": `scorecards: ["${name}"]\n` });
    const result = await maturity(gate, { cwd });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(/scorecards must be names of installed packages, which ".*" is not/);
    expect(isLoaded()).toBeUndefined();
  });

  test("nor when it checks in a package of that name", async () => {
    const cwd = await useRepository({ ...installed, "maturity.yaml": "scorecards: '@acme/cost'\n" });
    expect(await maturity(gate, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("@acme/cost is not installed beside this program"),
    });
    expect(await maturity([...gate, "--scorecards", "@acme/cost"], { cwd })).toMatchObject({ code: 2 });
    expect(isLoaded()).toBeUndefined();
  });

  test("a package beside the program is found, and not that of the repository", async () => {
    const cwd = await useRepository({
      "node_modules/commander/package.json": '{ "name": "commander", "type": "module", "exports": "./index.js" }',
      "node_modules/commander/index.js": scorecard("node_modules"),
      "maturity.yaml": "scorecards: [commander]\n",
    });
    expect(await maturity(gate, { cwd })).toMatchObject({
      code: 2,
      stderr: "maturity: the package commander exports no scorecard\n",
    });
    expect(isLoaded()).toBeUndefined();
  });
});

test("a path of the caller is loaded: a module, or a package", async () => {
  const legacy = { name: "old", type: "module", main: "lib/main.js" };
  const cwd = await useRepository({
    ...installed,
    "cost.mjs": scorecard("module"),
    "old/package.json": JSON.stringify(legacy),
    "old/lib/main.js": scorecard("main"),
  });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "loadedOfRepository"));
  const ways = { "./cost.mjs": "module", "node_modules/@acme/cost": "", "./node_modules/@acme/cost": "node_modules" };
  for (const [path, text] of Object.entries({ ...ways, [join(cwd, "old")]: "main" })) {
    const byFlag = await maturity([...gate, "--scorecards", path], { cwd });
    const byVariable = await maturity(gate, { cwd, env: { MATURITY_SCORECARDS: path } });
    expect(byVariable).toEqual(byFlag);
    if (text) expect(byFlag).toMatchObject({ code: 0, stdout: expect.stringContaining(`  ${text}\n`) });
    else expect(byFlag).toMatchObject({ code: 2, stderr: expect.stringContaining("or paths such as ./cost.mjs") });
  }
  expect(await maturity([...gate, "--scorecards", "./gone.mjs"], { cwd })).toMatchObject({
    code: 2,
    stderr: "maturity: the scorecard package ./gone.mjs is not there\n",
  });
});

describe("the token", () => {
  /** An address that answers as the service does, and who called it. */
  async function useStranger() {
    const calls: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      calls.push(headers.authorization);
      const score = { metric: "health_check", score: 100, reasons: [], scorer: "x@1", reported_at: "" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...score, value: "id" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
  }
  const submit = ["submit", "-m", "health_check", "--raw", "enabled=true"];

  test.each<[string, (url: string) => Record<string, string>]>([
    ["MATURITY_TOKEN", () => ({ MATURITY_TOKEN: "t0ken" })],
    ["MATURITY_ID_TOKEN", () => ({ MATURITY_ID_TOKEN: "t0ken" })],
    [
      "GitHub Actions (OIDC)",
      (url) => ({ ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t0ken" }),
    ],
  ])("%s does not go to an address of maturity.yaml, and is not even asked for", async (from, env) => {
    const { url, calls } = await useStranger();
    const cwd = await useRepository({ "maturity.yaml": `url: ${url}\n` });
    for (const argv of [submit, ["problem", "report", "-t", "x", "--count", "0"], ["doctor"]]) {
      const result = await maturity(argv, { cwd, env: { ...target, ...env(url) } });
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(`the token of ${from} is not sent to`) });
      expect(result.stderr).toContain(`${url}, an address that ${join(cwd, "maturity.yaml")} names`);
    }
    expect(calls).toEqual([]);
    const trusted = { ...target, ...env(url), MATURITY_URL: url };
    expect(await maturity(submit, { cwd, env: trusted })).toMatchObject({ code: 0 });
  });

  test("a report without a token does", async () => {
    const { url, calls } = await useStranger();
    const cwd = await useRepository({ "maturity.yaml": `url: ${url}\n` });
    expect(await maturity(submit, { cwd, env: target })).toMatchObject({ code: 0 });
    expect(new Set(calls)).toEqual(new Set([undefined]));
  });

  test("is made out to nobody whom maturity.yaml names", async () => {
    const cwd = await useRepository({ "maturity.yaml": "audience: sts.amazonaws.com\n" });
    expect(await maturity(["doctor"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("audience does not belong into a file of the repository"),
    });
  });
});

describe("maturity.yaml is looked for", () => {
  test("up to the root of the repository, and not above it", async () => {
    const outer = await useDirectory();
    await writeFile(join(outer, "maturity.yaml"), "app: outer\n");
    const inner = join(outer, "cart/src/deep");
    await mkdir(inner, { recursive: true });
    expect(await findSettingsFile(inner)).toBeUndefined();
    await writeFile(join(outer, "cart/.git"), "gitdir: elsewhere\n");
    expect(await findSettingsFile(inner)).toBeUndefined();
    await writeFile(join(outer, "cart/maturity.yaml"), "app: cart\n");
    expect((await findSettingsFile(inner))?.values).toEqual({ app: "cart" });
    await writeFile(join(inner, "maturity.yaml"), "app: deep\n");
    expect((await findSettingsFile(inner))?.values).toEqual({ app: "deep" });
  });

  test("in the directory alone outside of a repository", async () => {
    const directory = await useDirectory();
    await mkdir(join(directory, "src"));
    await writeFile(join(directory, "maturity.yaml"), "app: cart\n");
    expect((await findSettingsFile(directory))?.values).toEqual({ app: "cart" });
    expect(await findSettingsFile(join(directory, "src"))).toBeUndefined();
  });
});

describe("a file that grows without end is said", () => {
  const bomb = ["a0: &a0 [x, x]", ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];
  const texts: Record<string, readonly [text: string, message: string]> = {
    "aliases of aliases": [bomb.join("\n"), "Excessive alias count"],
    "many aliases": [`a: &a [x]\nb: [${"*a,".repeat(200)}]`, "there are more than 100 aliases"],
    "a value that holds itself": ["app: &a { b: *a }", "a value must not hold itself"],
    "brackets in brackets": ["[".repeat(20_000), "it is nested too deep"],
    "an alias of nothing": ["app: *a", "Unresolved alias"],
    "a key that stands there twice": ["app: a\napp: b", "the key app stands there twice"],
    "a large file": [`app: ${"x".repeat(300_000)}`, "is larger than "],
  };

  test.each(Object.entries(texts))("%s", async (_, [text, message]) => {
    const cwd = await useRepository({ "maturity.yaml": text });
    const settings = await maturity(gate, { cwd });
    expect(settings).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    const queries = await useRepository({ "collect.yaml": text });
    const collected = await maturity(["collect", "--dry-run", "collect.yaml"], { cwd: queries });
    expect(collected).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
