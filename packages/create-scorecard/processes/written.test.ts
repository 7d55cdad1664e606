import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { blocks, repository } from "../../../services/scoring/test/support/markdown.ts";

const run = promisify(execFile);
const core = join(repository, "packages/core");
const program = join(repository, "packages/create-scorecard/src/main.ts");
const preview = join(core, "src/preview-main.ts");
const fromSources = "--conditions=@maturity/source";

/** A folder in which what is written finds its packages, from the sources. */
async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "maturity-written-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "node_modules/@maturity"), { recursive: true });
  await symlink(core, join(folder, "node_modules/@maturity/core"));
  return folder;
}

test.each([
  ["the example", []],
  ["one metric", ["--count=dead_links"]],
  ["several inputs", ["--value=updates.oldest_days+behind_pct", "--count=findings.critical+high+low"]],
  ["names of the language", ["--scorecard=default", "--value=new.class", "--count=await.constructor"]],
  ["names of its own files and imports", ["--scorecard=test", "--value=index.joi", "--count=preview", "--count=z.z"]],
  ["names that differ in an underscore", ["--scorecard=a_1", "--value=a_1", "--value=a1", "--count=a__1"]],
  ["names of globals", ["--scorecard=process", "--value=console.console", "--count=define_scorecard"]],
])("what is written with %s passes its own tests, and previews", async (_, options) => {
  const cwd = await useFolder();
  await run(process.execPath, [fromSources, program, "@acme/x", ...options], { cwd });
  const written = { cwd: join(cwd, "x") };
  const { stdout } = await run(process.execPath, [fromSources, "--test", "--test-reporter=tap"], written);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(15);
  const { stdout: previewed } = await run(
    process.execPath,
    [fromSources, preview, "./index.js", "package.json"],
    written,
  ).catch((error: { stderr: string }) => ({ stdout: error.stderr }));
  expect(previewed).toMatch(/^line 1 is not JSON/);
  await expect(run(process.execPath, [fromSources, preview, "./index.js"], written)).rejects.toMatchObject({
    code: 1,
    stderr: "maturity-preview MODULE FILE: an export of the service, or a body of POST /score on each line\n",
  });
});

test("without a terminal it asks nothing", async () => {
  const cwd = await useFolder();
  const refused = run(process.execPath, [fromSources, program], { cwd });
  refused.child.stdin?.end("@acme/cost\n");
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("give the name"),
  });
});

test("the smallest scorecard of the page has at most twelve lines, and scores", async () => {
  const cwd = await useFolder();
  const page = await blocks("docs/writing-a-scorecard.md");
  const text = page.find(({ info }) => info === "smallest")?.text ?? "";
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(12);
  await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "@acme/cost", version: "1.0.0", type: "module" }));
  await writeFile(join(cwd, "index.ts"), text);
  await writeFile(
    join(cwd, "score.ts"),
    `import { createEngine } from "@maturity/core";
     import cost from "./index.ts";
     console.log(createEngine([cost]).score("cost", "idle_resources", { idle: 4 }).score);`,
  );
  expect((await run(process.execPath, [fromSources, "score.ts"], { cwd })).stdout).toBe("50\n");
});
