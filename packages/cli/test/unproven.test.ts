import { describe, expect, test } from "vitest";
import type { Files } from "../../../test-support/trees.ts";
import type { CliOptions } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import { imageWithKey, trivy } from "./support/sample-reports.ts";

const service = listeningService();

const submit = (argv: readonly string[], files?: Files, options?: CliOptions) =>
  service.maturity(["submit", ...argv], files, options);

const stored = async (app: string, metric: string) =>
  (await service.rows("scores")).find((row) => row.app === app && row.metric === metric);

describe("what a report does not show", () => {
  const misconfigurations = JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: "infra",
    ArtifactType: "filesystem",
    Results: [{ Target: "Dockerfile", Class: "config", Misconfigurations: [{ Title: "Root", Severity: "HIGH" }] }],
  });
  const checkov = JSON.stringify({
    check_type: "terraform",
    results: { failed_checks: [{ check_id: "CKV_AWS_18", file_path: "/main.tf" }] },
    summary: { failed: 1, checkov_version: "3.2.400" },
  });

  test.each<[string, string[], string, string]>([
    [
      "vulnerabilities, of a report of misconfigurations",
      ["-m", "image_scan"],
      misconfigurations,
      "no result is of packages; it holds 1 misconfiguration; give --assume-scanned, if you",
    ],
    [
      "secrets, of a report of vulnerabilities",
      ["-m", "secret_scan"],
      trivy,
      "it holds 4 vulnerabilities; give --metric image_scan for that, or --assume-scanned",
    ],
    [
      "secrets, of a scanner of infrastructure",
      [],
      checkov,
      "the framework secrets has no report; it holds 1 misconfiguration",
    ],
    ["secrets, of what several tools write", ["-m", "secret_scan"], '{"results":[]}', "name the format: tfsec"],
  ])("is not scored: %s", async (_, argv, stdin, message) => {
    const app = "silent";
    const result = await submit([...argv, "--app", app, "-"], {}, { stdin });
    expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
    expect((await service.rows("scores")).filter((row) => row.app === app)).toEqual([]);
  });

  test("is scored on the caller's word, which is said and stored", async () => {
    const argv = ["-m", "secret_scan", "--assume-scanned", "--app", "vouched", "-"];
    const { code, stderr } = await submit(argv, {}, { stdin: trivy });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^note: the report does not show that secrets .*; taken for clean on the caller's word\n/);
    expect(await stored("vouched", "secret_scan")).toMatchObject({
      raw: { found: false, assumed_scanned: true },
    });
  });

  test("never hides what it does show", async () => {
    const argv = ["-m", "secret_scan", "--assume-scanned", "--app", "not hidden", "-"];
    await submit(argv, {}, { stdin: imageWithKey });
    const { raw } = (await stored("not hidden", "secret_scan")) ?? {};
    expect(raw).toEqual({ found: true, count: 1 });
  });

  test("of coverage cannot be vouched for", async () => {
    const empty = "TN:\nSF:a.ts\nend_of_record\n";
    expect(await submit(["-m", "unit_coverage", "--assume-scanned", "-"], {}, { stdin: empty })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("measured nothing: it has no lines"),
    });
  });
});

test("findings for another metric are said, with the command that sends them", async () => {
  const argv = ["--app", "it's two", "--metric", "image_scan", "my image.json"];
  const { code, stderr } = await submit(argv, { "my image.json": imageWithKey });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `note: my image.json also holds 1 secret, left out here: maturity submit --metric secret_scan --app 'it'\\''s two' 'my image.json'\n`,
  });
});

describe("findings without a severity", () => {
  const audit = JSON.stringify({
    dependencies: [{ name: "flask", version: "0.5", vulns: [{ id: "PYSEC-1" }, { id: "PYSEC-2" }] }],
    fixes: [],
  });
  const refusal =
    "all 2 findings have no severity, so that no score can be made of them; give --assume-severity high to have them counted as high\n";

  test.each<[string, string[]]>([
    ["submit", ["--dry-run", "-m", "sast", "pip-audit.json"]],
    ["submit", ["--dry-run", "-m", "pip-audit.json=sast", "."]],
    ["detect", ["-m", "sast", "pip-audit.json"]],
    ["gate", ["--min", "50", "-m", "sast", "pip-audit.json"]],
  ])("give no score: %s %j", async (command, argv) => {
    const { code, stderr } = await service.maturity([command, ...argv], { "pip-audit.json": audit });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(refusal) });
  });

  test("of a directory are not passed over, named or not", async () => {
    const nuclei = `${JSON.stringify({ "template-id": "a", info: { severity: "odd" } })}\n`;
    const { code, stderr } = await submit(["--dry-run", "."], { "nuclei.jsonl": nuclei, "trivy.json": trivy });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /nuclei\.jsonl: .*the only finding has no severity.*--assume-severity high to have/,
      ),
    });
  });

  test("are proposed with what they need", async () => {
    const argv = ["detect", "pip-audit.json"];
    expect(await service.maturity(argv, { "pip-audit.json": audit })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("; give --metric pip-audit.json=sast --assume-severity high\n"),
    });
  });

  test("count as the caller says, which is said and stored", async () => {
    const argv = ["-m", "sast", "--assume-severity", "high", "--app", "assumed", "pip-audit.json"];
    const { code, stdout, stderr } = await submit(argv, { "pip-audit.json": audit });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "note: 2 of unknown severity, counted as high on the caller's word\n",
    });
    expect(stdout).toContain("\n  2 high findings leave ");
    expect(await stored("assumed", "sast")).toMatchObject({ raw: { high: 2, unknown: 0, assumed_severities: 2 } });
  });

  test("of a directory too, where only some files have them", async () => {
    const argv = ["--assume-severity", "low", "-m", "pip-audit.json=sast", "--json", "--dry-run", "."];
    const { code, stdout } = await submit(argv, { "pip-audit.json": audit, "trivy.json": trivy });
    expect({ code, scores: JSON.parse(stdout).scores }).toMatchObject({
      code: 0,
      scores: [
        { metric: "sast", raw: { low: 2, assumed_severities: 2 }, report: { assumed: { severity: "low" } } },
        { metric: "image_scan", report: expect.not.objectContaining({ assumed: expect.anything() }) },
      ],
    });
  });

  test("gate by the severity that the caller gives", async () => {
    const argv = ["gate", "--min", "80", "-m", "sast", "--assume-severity", "critical", "pip-audit.json"];
    expect(await service.maturity(argv, { "pip-audit.json": audit })).toMatchObject({
      code: 1,
      stderr: "note: 2 of unknown severity, counted as critical on the caller's word\n",
    });
  });

  test("of another word are refused", async () => {
    const argv = ["-m", "sast", "--assume-severity", "grave", "pip-audit.json"];
    const { code, stderr } = await submit(argv, { "pip-audit.json": audit });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("critical, high, medium, low") });
  });
});
