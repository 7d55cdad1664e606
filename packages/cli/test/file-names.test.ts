import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";
import { gitleaks, imageWithKey, lcov, trivy } from "./support/sample-reports.ts";

/** What turns the reading direction, moves the cursor or is not seen. */
const hidden = /[\p{C}--\n]/v;

/** A path below a directory, of which the last name holds these bytes. */
function pathOf(cwd: string, directory: string, ...bytes: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(`${cwd}/${directory}/`), Buffer.from(bytes), Buffer.from(".json")]);
}

test("files whose names are no UTF-8 are read, each by its own name", async () => {
  const cwd = await useTree({ "d/a.json": gitleaks("a.tf") });
  await writeFile(pathOf(cwd, "d", 0xff), gitleaks("b.tf"));
  await writeFile(pathOf(cwd, "d", 0xfe), gitleaks("c.tf"));
  await writeFile(pathOf(cwd, "d", 0xef, 0xbf, 0xbd), gitleaks("d.tf"));
  const { code, stdout } = await maturity(["detect", "--json", "--metric", "*.json=secret_scan", "d"], { cwd });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    files: [{ file: "d/a.json" }, { file: "d/\udcfe.json" }, { file: "d/\udcff.json" }, { file: "d/\ufffd.json" }],
    scores: [{ raw: { found: true, count: 4 } }],
  });
  const shown = await maturity(["detect", "d"], { cwd });
  expect(shown.stdout).toContain("d/\\xff.json  gitleaks  secret_scan\n");
});

test("a directory whose name is no UTF-8 is looked into", async () => {
  const cwd = await useTree({ "d/readme": "" });
  const inner = Buffer.concat([Buffer.from(`${cwd}/d/`), Buffer.from([0xe9])]);
  await mkdir(inner);
  await writeFile(Buffer.concat([inner, Buffer.from("/trivy.json")]), trivy);
  const { code, stdout } = await maturity(["detect", "d"], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^d\/\\xe9\/trivy\.json +trivy/m) });
});

test("a broken report of such a name fails", async () => {
  const cwd = await useTree({ "d/a.json": gitleaks("a.tf") });
  await writeFile(pathOf(cwd, "d", 0xff), trivy.slice(0, -20));
  const { code, stderr } = await maturity(["detect", "d"], { cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^maturity: d\/\\xff\.json: .*cut off/) });
});

test("a pattern that meets such a name says how the file is read", async () => {
  const cwd = await useTree({ "d/a.json": trivy });
  await writeFile(pathOf(cwd, "d", 0xff), trivy);
  for (const command of [["gate", "--min", "1"], ["detect"]]) {
    const { code, stderr } = await maturity([...command, "d/*.json"], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        " cannot be read: its name is not UTF-8, which no argument can hold; rename it, or name its directory",
      ),
    });
  }
});

describe("what is proposed for a file can be pasted, whatever its name", () => {
  const name = "d/\u202enosj.a'b\\.json";
  const shown = "$'d/\\342\\200\\256nosj.a\\'b\\\\.json";

  test("a metric of a directory's file", async () => {
    const cwd = await useTree({ [name]: lcov("a.ts", 1) });
    const { stdout, stderr } = await maturity(["detect", "d"], { cwd });
    expect(stdout + stderr).not.toMatch(hidden);
    expect(stdout).toContain(`give --metric ${shown}=unit_coverage' or --metric`);
    const [, word = ""] = /--metric (\$'.*?=unit_coverage')/.exec(stdout) ?? [];
    const argument = execFileSync("bash", ["-c", `printf %s ${word}`], { env: { LC_ALL: "C" } }).toString();
    expect(await maturity(["detect", "--metric", argument, "d"], { cwd })).toMatchObject({ code: 0 });
  });

  test("a metric of a file whose name is no UTF-8", async () => {
    const cwd = await useTree({ "d/a.txt": "" });
    await writeFile(pathOf(cwd, "d", 0xff, 0x20), lcov("a.ts", 1));
    const { stdout } = await maturity(["detect", "d"], { cwd });
    expect(stdout).toContain("give --metric 'd/? .json=unit_coverage' or ");
    const argv = ["detect", "--metric", "d/? .json=unit_coverage", "d"];
    expect(await maturity(argv, { cwd })).toMatchObject({ code: 0 });
  });

  test("the command for findings that are left out", async () => {
    const cwd = await useTree({ "-\u200b.json": imageWithKey });
    const { stderr } = await maturity(["gate", "--min", "1", "-m", "image_scan", "--", "-\u200b.json"], { cwd });
    expect(stderr).toContain("maturity gate --metric secret_scan --min 1 $'./-\\342\\200\\213.json'\n");
  });
});

test.each([
  ["submit", "d/\u202ex.json"],
  ["submit", "d/\u202e*.json"],
  ["submit", "--\u202e"],
  ["submit", "--\u202e", "--json"],
  ["submit", "--format", "\u202e", "a"],
  ["\u202e"],
  ["gate", "--min", "\u202e"],
  ["submit", "--metric", "\u202e", "a"],
  ["submit", "--scorecards", "./\u202e.mjs", "-n", "-m", "sla", "--raw", "a=1"],
  ["completion", "\u202e"],
  ["help", "\u202e"],
])("what is given is shown without what is hidden in it (%#)", async (...argv) => {
  const { code, stdout, stderr } = await maturity(argv);
  expect({ code, shown: stdout + stderr }).toEqual({ code: 2, shown: expect.not.stringMatching(hidden) });
});
