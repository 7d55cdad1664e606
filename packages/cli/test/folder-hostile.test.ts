import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beginningLength } from "@maturity/reports";
import { expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";
import { gitleaks, semgrep, trivy } from "./support/sample-reports.ts";

/** What `detect` says of a directory `d`. */
async function detect(cwd: string, ...argv: string[]) {
  const { code, stdout } = await maturity(["detect", "--json", ...argv, "d"], { cwd });
  const said = JSON.parse(stdout) as { files?: { file: string; state: string; reason?: string }[] };
  return { code, files: Object.fromEntries((said.files ?? []).map(({ file, ...rest }) => [file, rest])) };
}

test("a tree of 10,000 files with links in circles gives the reports in it, each once", async () => {
  const cwd = await useTree({ "d/x/trivy.json": trivy, "d/node_modules/a/trivy.json": trivy });
  execFileSync("sh", ["-c", "seq 10000 | xargs touch"], { cwd: join(cwd, "d") });
  await symlink("../..", join(cwd, "d/x/up"));
  await symlink("x", join(cwd, "d/y"));
  const { code, files } = await detect(cwd);
  expect(code).toBe(0);
  expect(Object.keys(files)).toHaveLength(10_003);
  expect(Object.entries(files).filter(([, { state }]) => state === "taken")).toEqual([
    ["d/x/trivy.json", { state: "taken", format: "trivy", tool: "Trivy", metrics: ["image_scan"] }],
  ]);
});

test("a link is not followed, and one that is named fails", async () => {
  const cwd = await useTree({ "trivy.json": trivy, "d/semgrep.json": semgrep });
  await symlink("../trivy.json", join(cwd, "d/trivy.json"));
  expect(await detect(cwd)).toMatchObject({ code: 0, files: { "d/trivy.json": { state: "passed over" } } });
  const named = await detect(cwd, "--metric", "trivy.json=image_scan");
  expect(named).toMatchObject({ code: 2, files: { "d/trivy.json": { state: "failed" } } });
});

test("a file of 3 GB is not read, but for its beginning", async () => {
  const cwd = await useTree({
    "d/disk.img": "",
    "d/big.json": '{"SchemaVersion":2,"Results":[',
    "d/list.json": `{"list":[${" ".repeat(beginningLength)}`,
  });
  for (const name of ["disk.img", "big.json", "list.json"]) await truncate(join(cwd, "d", name), 3 * 2 ** 30);
  const { code, files } = await detect(cwd);
  expect({ code, files }).toEqual({
    code: 2,
    files: {
      "d/big.json": expect.objectContaining({ state: "failed", reason: "it is larger than 511 MiB" }),
      "d/disk.img": expect.objectContaining({ reason: "this looks like a binary or compressed file" }),
      "d/list.json": expect.objectContaining({
        state: "passed over",
        reason: "this looks like JSON with the keys list, as far as its beginning shows",
      }),
    },
  });
});

test("JSON whose format only its end shows is found", async () => {
  const long = { paths: { scanned: Array.from({ length: 10_000 }, (_, index) => `src/${index}.ts`) } };
  const { paths: _, version, ...rest } = JSON.parse(semgrep);
  const cwd = await useTree({ "d/semgrep.json": JSON.stringify({ ...long, version, ...rest }) });
  expect((await detect(cwd)).files["d/semgrep.json"]).toMatchObject({ state: "taken", metrics: ["sast"] });
});

test("names with anything in them are read, and move no cursor", async () => {
  const name = "a\nb\u001b[2J ' $(touch taken) [x]{y}*.json";
  const cwd = await useTree({ [`d/${name}`]: gitleaks("a.tf") });
  const { stdout, stderr } = await maturity(["submit", "--dry-run", "d"], { cwd });
  expect(stdout).toContain("a\\u{a}b\\u{1b}[2J ' $(touch taken) [x]{y}*.json  gitleaks  secret_scan\n");
  expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  const named = await detect(cwd, "--metric", `${name}=secret_scan`);
  expect(named).toMatchObject({ code: 0 });
});

test("a gzip file that unpacks to no end is recognized without unpacking it", async () => {
  const cwd = await useTree({ "d/bomb.gz": gzipSync(Buffer.alloc(100 * 2 ** 20)), "d/trivy.json": trivy });
  const { code, files } = await detect(cwd);
  expect({ code, bomb: files["d/bomb.gz"] }).toMatchObject({ code: 0, bomb: { state: "passed over" } });
});

test.skipIf(process.getuid?.() === 0)("what may not be read fails", async () => {
  const cwd = await useTree({ "d/trivy.json": trivy, "d/gitleaks.json": gitleaks("a.tf") });
  await mkdir(join(cwd, "d/closed"));
  for (const name of ["gitleaks.json", "closed"]) await chmod(join(cwd, "d", name), 0);
  const { code, files } = await detect(cwd);
  expect({ code, files }).toMatchObject({
    code: 2,
    files: {
      "d/closed": { state: "failed", reason: "the directory cannot be read: permission denied" },
      "d/gitleaks.json": { state: "failed", reason: "it cannot be read: permission denied" },
    },
  });
  await chmod(join(cwd, "d/closed"), 0o700);
});
