import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { compileCache } from "../../../services/scoring/test/support/compile-cache.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity } from "../test/support/cli.ts";

describe("completes", () => {
  test.each<[string, string[], string[]]>([
    ["commands", ["do"], ["doctor"]],
    ["commands behind help", ["help", "g"], ["gate"]],
    ["flags", ["gate", "--m"], ["--min", "--max-age", "--max-drop", "--metric"]],
    ["metrics", ["submit", "--metric", "unit"], ["unit_coverage"]],
    ["metrics behind the short flag", ["submit", "report.json", "-m", "mt"], ["mttr", "mttd"]],
    ["what bash cuts at the equals sign", ["submit", "--metric", "=", "sl"], ["sla"]],
    ["metrics of the files of a pattern", ["detect", "--metric", "lcov.info=unit"], ["lcov.info=unit_coverage"]],
    ["formats of the files of a pattern", ["submit", "--format", "a=b=troff"], []],
    ["the same of one", ["submit", "--format", "a=b=truf"], ["a=b=trufflehog"]],
    ["severities", ["problem", "report", "--severity", ""], ["critical", "high", "medium", "low", "info"]],
    ["formats", ["gate", "--format", "k6"], ["k6-handle-summary", "k6-machine-readable", "k6-summary-export"]],
    ["shells", ["completion", "f"], ["fish"]],
    ["no values of a flag that takes any", ["submit", "--area", ""], []],
    ["no files, which the shell knows better", ["submit", "tri"], []],
    ["nothing behind a command that does not exist", ["submti", ""], []],
  ])("%s", async (_, words, candidates) => {
    expect(await maturity(["__complete", ...words])).toEqual({
      code: 0,
      stdout: candidates.map((candidate) => `${candidate}\n`).join(""),
      stderr: "",
    });
  });

  test("every command", async () => {
    const { stdout } = await maturity(["__complete", ""]);
    const { stdout: help } = await maturity(["--help"]);
    const listed = [...(help.split(/Options:|Examples:/)[1] ?? "").matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(stdout.trim().split("\n")).toEqual(listed);
  });
});

test("the script of bash works in bash", async () => {
  const { stdout: script } = await maturity(["completion", "bash"]);
  const directory = await useDirectory();
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  await writeFile(
    join(directory, "maturity"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@maturity/source "${main}" "$@"\n`,
  );
  await chmod(join(directory, "maturity"), 0o755);
  const ask = `${script}
COMP_WORDS=(maturity submit --metric un); COMP_CWORD=3
_maturity; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...compileCache, PATH: `${directory}:${process.env.PATH}` };
  expect((await promisify(execFile)("bash", ["-c", ask], { env })).stdout).toBe("unique_db_user\nunit_coverage\n");
});

test.each(["zsh", "fish", "powershell"])("there is a script of %s", async (shell) => {
  const { code, stdout } = await maturity(["completion", shell]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("maturity __complete") });
});

test("another shell is refused", async () => {
  const { code, stderr } = await maturity(["completion", "tcsh"]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("bash, zsh, fish, powershell") });
});
