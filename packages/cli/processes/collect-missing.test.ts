import { execFile } from "node:child_process";
import { cp, mkdir, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compileCache } from "../../../services/scoring/test/support/compile-cache.ts";
import { useDirectory } from "../../../test-support/trees.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));

/** The program where everything is installed that it depends on, but `@maturity/collect` is not. */
async function useProgramAlone(): Promise<(...argv: string[]) => Promise<{ code: number; stderr: string }>> {
  const directory = await realpath(await useDirectory());
  for (const name of ["src", "package.json"]) await cp(join(cli, name), join(directory, name), { recursive: true });
  const modules = join(cli, "node_modules");
  const scoped = (await readdir(join(modules, "@maturity"))).map((name) => `@maturity/${name}`);
  for (const name of [...(await readdir(modules)), ...scoped]) {
    if (["@maturity", "@maturity/collect"].includes(name) || name.startsWith(".")) continue;
    const link = join(directory, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(modules, name)), link);
  }
  await writeFile(join(directory, "collect.yaml"), "{}");
  return (...argv) =>
    promisify(execFile)(process.execPath, ["--conditions=@maturity/source", join(directory, "src/main.ts"), ...argv], {
      cwd: directory,
      env: compileCache,
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }) => ({ code, stderr }),
    );
}

test("without @maturity/collect it says how to have it, and all else works", async () => {
  const maturity = await useProgramAlone();
  expect(await maturity("collect", "--dry-run", "collect.yaml")).toEqual({
    code: 2,
    stderr:
      "maturity: collect needs the package @maturity/collect, which is not installed beside this program; this runs it with both: npx -y -p @maturity/cli -p @maturity/collect maturity collect …\n",
  });
  expect(await maturity("collect", "--help")).toEqual({ code: 0, stderr: "" });
  expect(await maturity("submit", "--dry-run", "-m", "sla", "--raw", "availability_pct=99")).toEqual({
    code: 0,
    stderr: expect.any(String),
  });
});
