import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { anyScorecard } from "../../../test-support/scorecard-files.ts";
import { useDirectory } from "../../../test-support/trees.ts";

const run = promisify(execFile);
const fromSources = "--conditions=@maturity/source";
const program = join(repository, "packages/cli/src/main.ts");

test("the packages that files are converted to pass their own tests", async () => {
  const cwd = await useDirectory();
  await mkdir(join(cwd, "node_modules/@maturity"), { recursive: true });
  await symlink(join(repository, "packages/core"), join(cwd, "node_modules/@maturity/core"));
  for (const [index, declared] of fc.sample(anyScorecard, { numRuns: 3, seed: 1 }).entries()) {
    const [file, folder] = [`${index}.yaml`, `package-${index}`];
    await writeFile(join(cwd, file), stringify(declared));
    const options = ["scorecard", "convert", file, "--package", `@acme/${folder}`, "-o", folder];
    await run(process.execPath, [fromSources, program, ...options], { cwd });
    const written = { cwd: join(cwd, folder) };
    const { stdout } = await run(process.execPath, [fromSources, "--test", "--test-reporter=tap"], written);
    expect(stdout).toMatch(/^# fail 0$/m);
  }
});
