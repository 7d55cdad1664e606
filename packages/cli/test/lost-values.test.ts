import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";

const trivy = JSON.stringify({
  SchemaVersion: 2,
  ArtifactName: "x",
  ArtifactType: "container_image",
  Results: [
    { Target: "x", Class: "os-pkgs", Vulnerabilities: [{ VulnerabilityID: "CVE-1", PkgName: "a", Severity: "HIGH" }] },
  ],
});

const target = ["--area", "shop", "--team", "checkout", "--app", "cart", "--env", "prod"];

test.each<[what: string, argv: string[], said: string]>([
  [
    "a second metric of a gate",
    ["gate", "--min", "80", "--metric", "secret_scan", "--metric", "image_scan", "trivy.json"],
    "of several --metric each but one needs the files it is for",
  ],
  [
    "a second type of a problem",
    ["problem", "report", "--type", "a", "--type", "b", "--vulnerabilities", "trivy.json"],
    "--type takes one value, and stands there twice",
  ],
  ["an environment of a variable that is not set", ["submit", "--env", "", "trivy.json"], "--env is empty"],
  ["a minimum of white space", ["gate", "--min", " ", "trivy.json"], "--min is empty"],
  ["one of several values", ["submit", "--exclude", "", "."], "--exclude is empty"],
  ["a path of a variable that is not set", ["submit", "--dry-run", ...target, ""], "a path is empty"],
  [
    "a second metric beside values by hand",
    ["submit", "--dry-run", ...target, "-m", "libs_secrets", "-m", "libs_observability", "--raw", "enabled=true"],
    "values by --raw are of one metric",
  ],
  [
    "a problem without a report",
    ["submit", "--dry-run", ...target, "-m", "libs_secrets", "--raw", "enabled=true", "--problems", "a.json=x,high"],
    "--problems is about reports: give their paths",
  ],
  [
    "files to leave out of no directory",
    ["submit", "--dry-run", ...target, "-m", "libs_secrets", "--raw", "enabled=true", "--exclude", "a.json"],
    "--exclude is about directories: give their paths",
  ],
])("%s is wrong usage", async (_, argv, said) => {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "trivy.json"), trivy);
  await mkdir(join(cwd, "reports"));
  const { code, stdout, stderr } = await maturity(argv, { cwd, env: { MATURITY_ENV: "test" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(said);
});

test("a value by hand that takes the place of one of the report is noted", async () => {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "trivy.json"), trivy);
  const argv = ["submit", "--dry-run", "--json", ...target, "--raw", "high=0", "--raw", "low=0", "trivy.json"];
  const { code, stdout, stderr } = await maturity(argv, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "note: high is 0 by --raw, not 1 as the report says\n" });
  expect(JSON.parse(stdout).scores[0]).toMatchObject({ raw: { high: 0 }, report: { notes: [expect.anything()] } });
});
