import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";
import { checkov, gitleaks, imageWithKey, trivy } from "./support/sample-reports.ts";

type Files = Readonly<Record<string, string>>;

/** Nothing is sent, so there is no service. */
async function run(argv: readonly string[], files: Files) {
  const fetch = () => Promise.reject(new Error("the network was used"));
  return maturity(argv, { cwd: await useTree(files), fetch });
}

const emptySarif = JSON.stringify({ version: "2.1.0", runs: [] });

describe("what is proposed for a report works", () => {
  test("a report that shows nothing is proposed for no problem", async () => {
    const { stdout } = await run(["detect", "d"], { "d/runs.json": emptySarif });
    expect(stdout).toBe("d/runs.json  sarif  passed over: this looks like SARIF, but runs is empty: no tool ran\n");
  });

  test("a problem of a report without severities needs one", async () => {
    const files = { "d/checkov.json": checkov };
    const { stdout } = await run(["detect", "d"], files);
    const [, claim = ""] = /give --problems (\S+)\n$/.exec(stdout) ?? [];
    expect(claim).toBe("d/checkov.json=TYPE,SEVERITY");
    const given = claim.replace("TYPE", "misconfiguration").replace("SEVERITY", "medium");
    expect(await run(["detect", "--problems", given, "d"], files)).toMatchObject({ code: 0 });
  });

  test("a kind of findings keeps the severity that was given", async () => {
    const files = { "d/trivy.json": imageWithKey };
    const { stderr } = await run(["detect", "--problems", "trivy.json=leak,low", "d"], files);
    expect(stderr).toContain(
      "give --problems d/trivy.json=leak,secrets,low or --problems d/trivy.json=leak,vulnerabilities,low\n",
    );
  });

  test("a metric that the report does not show is not proposed", async () => {
    for (const command of [["gate", "--min", "1"], ["detect"]]) {
      const { stderr } = await run([...command, "--metric", "dast", "trivy.json"], { "trivy.json": trivy });
      expect(stderr).toMatch(/not dast; give --metric (?:trivy\.json=)?image_scan(?: for that)?(?! or --metric)/);
      expect(stderr).not.toMatch(/give .*secret_scan/);
    }
  });
});

describe("a problem that lacks a severity", () => {
  const files = { "d/gitleaks.json": gitleaks("a.tf"), "d/trivy.json": trivy };
  const reason = "d/gitleaks.json: the report names no severity for the problem leak";

  test("fails in the row of its file, and is said once beside it", async () => {
    const { code, stdout, stderr } = await run(["detect", "--problems", "gitleaks.json=leak", "d"], files);
    expect({ code, row: stdout.split("\n")[0], stderr }).toEqual({
      code: 2,
      row: `d/gitleaks.json  gitleaks  failed: ${reason} (feeds secret_scan)`,
      stderr: `maturity: ${reason}: give one, such as --problems d/gitleaks.json=leak,high\n`,
    });
  });

  test("is failed for machines", async () => {
    const argv = ["detect", "--json", "--problems", "gitleaks.json=leak,secrets", "d"];
    const { stdout } = await run(argv, files);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ file: "d/gitleaks.json", state: "failed", code: "no-severity", metrics: ["secret_scan"] }, {}],
      faults: [{ message: expect.stringContaining("such as --problems d/gitleaks.json=leak,secrets,high") }],
    });
  });
});

test("a file that two claims name for one problem counts once, with what each says", async () => {
  const claims = ["--problems", "*.json=leak,high", "--problems", "gitleaks.json=leak,secrets"];
  const { stdout } = await run(["detect", "--json", ...claims, "d"], { "d/gitleaks.json": gitleaks("a.tf") });
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ problem_type: "leak", severity: "high", count: 1 }] });
});

test("two kinds of findings of one file are not one problem", async () => {
  const claims = ["--problems", "t.json=x,secrets", "--problems", "*.json=x,vulnerabilities"];
  const { code, stderr } = await run(["detect", ...claims, "d"], { "d/t.json": imageWithKey });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("give each a type of its own") });
});
