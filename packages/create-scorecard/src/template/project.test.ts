import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectFiles } from "./project.ts";

test.each([
  ["index.js", 1],
  ["index.ts", 1],
  ["index.test.js", 0],
  ["index.test.ts", 0],
])("the pipeline asks for another version after a change of %s: exit code %i", async (path, code) => {
  const cwd = await mkdtemp(join(tmpdir(), "maturity-create-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const run = (program: string, ...argv: readonly string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    return spawnSync(program, argv, { cwd, env, encoding: "utf8" });
  };
  const commit = async (text: string) => {
    await writeFile(join(cwd, path), text);
    run("git", "add", "--all");
    expect(run("git", ..."-c user.name=a -c user.email=a@a.example commit -qm x".split(" ")).stderr).toBe("");
  };
  const files = projectFiles({ package: "@acme/cost", scorecard: "cost", ci: "github", registry: undefined });
  await writeFile(join(cwd, "package.json"), files["package.json"] ?? "");
  run("git", "init", "--quiet");
  await commit("1");
  run("git", "update-ref", "refs/remotes/origin/main", "HEAD");
  await commit("2");
  const check = files[".github/workflows/ci.yml"]?.split("run: |\n").at(-1) ?? "";
  expect(run("sh", "-ec", check).status).toBe(code);
});
