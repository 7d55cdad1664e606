import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { type CliOptions, maturity } from "./support/cli.ts";
import { imageWithKey, lcov, trivy } from "./support/sample-reports.ts";

/** Nothing is sent, so there is no service. */
const gate = (argv: readonly string[], options: CliOptions = {}) =>
  maturity(["gate", ...argv], { ...options, fetch: () => Promise.reject(new Error("the network was used")) });

test("met", async () => {
  const result = await gate(["--min", "40", "--metric", "unit_coverage", "-"], { stdin: lcov("cart.ts", 1, 2, 3, 4) });
  expect(result).toEqual({
    code: 0,
    stdout: `unit_coverage 40 by @maturity/application@0.1.0
  the coverage by unit tests is 40 %, which scores 40; the score rises evenly from 0 at 0 % to 50 at 50 %
at least 40: met
`,
    stderr: "",
  });
});

test("not met: what would reach it, in lines too", async () => {
  const result = await gate(["--min", "80", "--metric", "unit_coverage", "-"], { stdin: lcov("cart.ts", 1, 2, 3, 4) });
  expect(result).toEqual({
    code: 1,
    stdout: `unit_coverage 40 by @maturity/application@0.1.0
  the coverage by unit tests is 40 %, which scores 40; the score rises evenly from 0 at 0 % to 50 at 50 %
  to reach 80:
    coverage_pct: 40 → at least 68 (3 more of the 10 lines)
at least 80: not met
`,
    stderr: "",
  });
});

test("all of several values", async () => {
  const { code, stdout } = await gate(["--min", "90", "-"], { stdin: trivy });
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `image_scan 37.89 by @maturity/security@0.1.0
  1 critical finding leaves 50 % of the score; each one halves it
  2 high findings leave 76 % of the remaining score; every 5 of them halve it
  to reach 90, all of:
    critical: 1 → 0
    high: 2 → 0
at least 90: not met
`,
  });
});

test("any one of several values", async () => {
  const values = ["--raw", "critical=1", "--raw", "high=0", "--raw", "medium=20"];
  const { stdout } = await gate(["--min", "50", "--metric", "sast", ...values]);
  expect(stdout).toContain(`  to reach 50, any one of:
    critical: 1 → 0
    medium: 20 → 0
`);
});

test("machines get the verdict as JSON", async () => {
  const { code, stdout } = await gate(["--json", "--min", "100", "--metric", "secret_scan", "--raw", "found=true"]);
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 1,
    min: 100,
    met: false,
    scores: [
      {
        scorecard: "security",
        metric: "secret_scan",
        score: 0,
        reasons: [
          {
            field: "found",
            value: true,
            text: "at least one hardcoded credential was found, which scores 0; the score is 100 when no hardcoded credential was found",
            code: "fail",
          },
        ],
        scorer: "@maturity/security@0.1.0",
        raw: { found: true },
        min: 100,
        met: false,
        reach: { alone: [{ field: "found", from: true, to: false, direction: "lower" }], together: [], best: 100 },
      },
    ],
  });
});

describe("a minimum", () => {
  const perfect = ["--metric", "secret_scan", "--raw", "found=false"];

  test.each(["-1", "101", "much"])("of %j is refused", async (minimum) => {
    expect(await gate([`--min=${minimum}`, ...perfect])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "maturity: --min must be from 0 to 100\n",
    });
  });

  test.each(["0", "100", "99.99"])("of %s is taken", async (minimum) => {
    expect((await gate([`--min=${minimum}`, ...perfect])).code).toBe(0);
  });

  test("or another condition must be given", async () => {
    const { code, stderr } = await gate(perfect);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "maturity: give what must hold: --min, --max-age, --no-worse, --max-drop, --app-min or --no-new-problems\n",
    });
  });
});

test("a report that does not show what was looked for is no gate", async () => {
  expect(await gate(["--min", "80", "--metric", "secret_scan", "-"], { stdin: trivy })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("does not show that secrets were looked for"),
  });
  const argv = ["--json", "--min", "80", "--metric", "secret_scan", "--assume-scanned", "-"];
  const { code, stdout } = await gate(argv, { stdin: trivy });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, scores: [{ raw: { assumed_scanned: true } }] });
});

describe("what scored 100 although it shows no scan", () => {
  const sarif = (name: string, results: unknown) =>
    JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name } }, results }] });
  const sbom = {
    bomFormat: "CycloneDX",
    metadata: { component: { type: "container" }, tools: { components: [{ name: "trivy", version: "0.74.0" }] } },
    components: [{ type: "library", name: "zlib" }],
    vulnerabilities: [],
  };
  const packages = {
    SchemaVersion: 2,
    ArtifactName: "cart",
    ArtifactType: "container_image",
    Results: [{ Target: "cart (alpine 3.20)", Class: "os-pkgs", Type: "alpine", Packages: [{ Name: "zlib" }] }],
  };

  test.each<[string, string, string]>([
    [
      "Trivy's bill of materials with an empty list",
      JSON.stringify(sbom),
      "an inventory of components has an empty list too",
    ],
    ["Trivy's list of packages", JSON.stringify(packages), "Scan with --list-all-pkgs=false"],
    ["SARIF of a formatter", sarif("prettier", []), "so name it: sast"],
    ["SARIF of a scanner of networks", sarif("nmap", []), "so name it: sast"],
    ["SARIF that knows no results", sarif("CodeQL", null), "results is null"],
    [
      "a scan of a folder by Grype",
      '{"matches":[],"source":{"type":"directory"},"descriptor":{"name":"grype"}}',
      "image_scan",
    ],
  ])("%s", async (_, stdin, message) => {
    const result = await gate(["--min", "100", "-"], { stdin });
    expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});

test("findings for another metric are said", async () => {
  const { code, stderr } = await gate(["--min", "80", "-"], { stdin: imageWithKey });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "note: standard input also holds 1 secret, left out here: maturity gate --metric secret_scan --min 80 -\n",
  });
});

describe("a directory", () => {
  const files = { "reports/trivy.json": trivy, "reports/lcov.info": lcov("cart.ts", 1, 2, 3, 4), "reports/a.txt": "a" };
  const metrics = ["-m", "lcov.info=unit_coverage"];

  test.each<[string[], number, string[]]>([
    [["--min", "30"], 0, ["at least 30: met"]],
    [["--min", "39"], 1, ["at least 39: not met"]],
    [["--min", "39", "--min", "image_scan=30"], 0, ["at least 39: met", "image_scan at least 30: met"]],
    [["--min", "image_scan=30", "--min", "unit_coverage=50"], 1, ["unit_coverage at least 50: not met"]],
    [["--min", "sast=1"], 1, ["sast at least 1, and no report feeds it: not met"]],
    [["--min", "39", "--exclude", "trivy.json"], 0, ["at least 39: met"]],
  ])("%j", async (argv, code, verdicts) => {
    const result = await gate([...argv, ...metrics, "reports"], { cwd: await useTree(files) });
    expect(result).toMatchObject({ code, stderr: "" });
    for (const verdict of verdicts) expect(result.stdout).toContain(`\n${verdict}\n`);
  });

  test.each<[string[], string]>([
    [["--min", "1", "--min", "2"], "of several --min each but one needs its metric"],
    [["--min", "image_scan=50", "--min", "image_scan=95"], "--min names image_scan twice"],
    [["--min", "security.image_scan=50", "--min", "1", "--min", "image_scan=50"], "--min names image_scan twice"],
    [["--min", "cost.budget=50", "--min", "cost.budget=5"], "--min names cost.budget twice"],
    [["--min", "image_scna=2"], "did you mean image_scan?"],
    [["--min", "image_scan=x"], "must be from 0 to 100"],
    [["--no-new-problems"], "--no-new-problems and --problems go together"],
    [["--min", "1", "--problems", "a.json=x,high"], "--no-new-problems and --problems go together"],
  ])("is refused with %j", async (argv, message) => {
    const { code, stderr } = await gate([...argv, "reports"], { cwd: await useTree(files) });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

test("a scorecard that is not here, with how to name its package", async () => {
  expect(await gate(["--min", "1", "-m", "cost.budget", "--raw", "x=1"])).toMatchObject({
    code: 2,
    stderr:
      "maturity: there is no scorecard cost on this machine; there are security, reliability, application; give the package of another by --scorecards or MATURITY_SCORECARDS, such as --scorecards @acme/cost\n",
  });
});

test("values that cannot be scored are said without a service", async () => {
  expect(await gate(["--min", "1", "-m", "sast", "--raw", "high=-1"])).toMatchObject({
    code: 2,
    stderr: `maturity: these values cannot be scored (invalid-raw):
  - raw.critical is required
  - raw.high must be greater than or equal to 0
  - raw.medium is required
`,
  });
});

test("what a scorer throws is said, with --verbose where", async () => {
  const cwd = await useTree({
    "throws.mjs": `
      const raw = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } };
      export const cost = { contract: 1, name: "cost", dimension: "run", weight: 1,
        package: { name: "@acme/cost", version: "1.0.0" },
        metrics: [{ name: "budget", title: "Budget", weight: 1, raw, score: () => { throw new TypeError("boom"); } }] };`,
  });
  const argv = ["--min", "1", "-m", "cost.budget", "--raw", "x=1", "--scorecards", "./throws.mjs"];
  const said = "maturity: cost.budget of @acme/cost@1.0.0 threw while scoring: TypeError: boom\n";
  expect(await gate(argv, { cwd })).toEqual({ code: 2, stdout: "", stderr: said });
  const { stderr } = await gate([...argv, "--verbose"], { cwd });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/\[cause\]: TypeError: boom\n +at .*throws\.mjs/);
});
