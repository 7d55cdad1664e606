import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { type CliOptions, maturity } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import { gitleaks, imageWithKey, trivy, trufflehog } from "./support/sample-reports.ts";

const service = listeningService();

const problem = (argv: readonly string[], options?: CliOptions) =>
  service.maturity(["problem", "report", ...argv], {}, options);
const stored = async (type: string) =>
  (await service.rows("problems")).find(({ problem_type }) => problem_type === type);

test("findings open a problem, and a clean report resolves it, by one and the same step", async () => {
  const step = ["--type", "terraform_secret", "--secrets", "--severity", "high", "-"];
  expect(await problem(step, { stdin: gitleaks("main.tf", "vpc.tf") })).toEqual({
    code: 0,
    stdout: `terraform_secret 2 findings, high
  main.tf:1  AWS access key
  vpc.tf:2  AWS access key
stored; the service sends no alerts
`,
    stderr: "",
  });
  expect(await stored("terraform_secret")).toMatchObject({
    severity: "high",
    count: 2,
    details: [{ file: "main.tf", line: 1, description: "AWS access key" }, { file: "vpc.tf" }],
  });
  expect(await problem(step, { stdin: "[]" })).toEqual({
    code: 0,
    stdout: "terraform_secret clean: 0 findings\nstored; no alert needed\n",
    stderr: "",
  });
  expect(await stored("terraform_secret")).toMatchObject({ severity: "high", count: 0, details: [] });
});

test("several reports of one scan are merged", async () => {
  const cwd = await useTree({ "1.json": gitleaks("a.tf"), "2.json": gitleaks("b.tf", "c.tf") });
  const { stdout } = await problem(["--json", "--type", "merged", "--severity", "LOW", "*.json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    problem_type: "merged",
    severity: "low",
    count: 3,
    alert: "disabled",
    report: { files: ["1.json", "2.json"], format: "gitleaks" },
  });
});

test("reports of two scanners are two problems", async () => {
  const cwd = await useTree({ "1.json": gitleaks("a.tf"), "2.jsonl": trufflehog("a.tf") });
  expect(await problem(["--type", "two", "--severity", "low", "*.json*"], { cwd })).toMatchObject({
    code: 2,
    stderr:
      "maturity: 1.json (gitleaks) and 2.jsonl (trufflehog) are both for one problem: give each a --type of its own\n",
  });
  expect(await stored("two")).toBeUndefined();
});

test("more findings than the service takes are counted, and it is said how many are listed", async () => {
  const many = gitleaks(...Array.from({ length: 1_500 }, (_, index) => `${index}/${"deep/".repeat(400)}main.tf`));
  const { code, stderr } = await problem(["--type", "many", "--severity", "high", "-"], { stdin: many });
  expect(code).toBe(0);
  const { count, details } = (await stored("many")) as { count: number; details: unknown[] };
  expect(count).toBe(1_500);
  expect(details.length).toBeGreaterThan(100);
  expect(details.length).toBeLessThan(1_000);
  expect(stderr).toBe(`note: ${details.length} of 1500 findings are listed\n`);
});

test("without a report, by their number", async () => {
  await problem(["--type", "by_hand", "--severity", "critical", "--count", "3", "--chat-channel", "#ops"]);
  expect(await stored("by_hand")).toMatchObject({ severity: "critical", count: 3, details: [], chat_channel: "#ops" });
  await problem(["--type", "by_hand", "--count", "0"]);
  expect(await stored("by_hand")).toMatchObject({ count: 0 });
});

test("--dry-run shows what would be sent, without an address and a target", async () => {
  const fetch = () => Promise.reject(new Error("the network was used"));
  const argv = ["problem", "report", "--json", "--dry-run", "--type", "secret", "--severity", "high", "-"];
  const { code, stdout } = await maturity(argv, { stdin: gitleaks("main.tf"), fetch });
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 0,
    dry_run: true,
    problem_type: "secret",
    severity: "high",
    count: 1,
    details: [{ file: "main.tf", line: 1, description: "AWS access key" }],
    report: { files: ["-"], format: "gitleaks", tool: "gitleaks", evidence: "a report of gitleaks", notes: [] },
  });
});

describe("what cannot be sent is said", () => {
  test.each<[string, string[], string, string]>([
    ["no type", ["-"], "[]", "required option '-t, --type <name>' not specified"],
    ["neither report nor number", ["-t", "x"], "", "give a report, or the number of findings with --count"],
    [
      "a number that is none",
      ["-t", "x", "--count", "abc"],
      "",
      "--count must be a whole number from 0 to 2,147,483,647, and not abc\n",
    ],
    [
      "a number less than none",
      ["-t", "x", "--count", "-1"],
      "",
      "--count must be a whole number from 0 to 2,147,483,647, and not -1\n",
    ],
    ["a number in other words", ["-t", "x", "--count", "0x10"], "", "and not 0x10\n"],
    ["a number that is too large", ["-t", "x", "--count", "2147483648"], "", "and not 2147483648\n"],
    [
      "a number of findings without a severity",
      ["-t", "x", "--count", "3"],
      "",
      "--count names no severity: give --severity\n",
    ],
    ["a number and a report", ["-t", "x", "--count", "1", "-"], "[]", "--count is for problems without a report"],
    [
      "a severity that does not exist",
      ["-t", "x", "-s", "grave", "-"],
      "[]",
      "there is no severity grave; there are critical, high, medium, low, info\n",
    ],
    ["findings without a severity", ["-t", "x", "-"], gitleaks("a"), "the report names no severity: give --severity"],
    [
      "a report without findings",
      ["-t", "x", "-"],
      "TN:\nSF:a\nDA:1,1\nend_of_record\n",
      "standard input: LCOV lists no findings",
    ],
  ])("%s", async (_, argv, stdin, message) => {
    expect(await problem(argv, { stdin })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
  });
});

describe("a report of something else than the problem", () => {
  test("of a tool that is not made for one kind is refused, with what it holds and the option that takes it", async () => {
    expect(await problem(["-t", "trivy", "-"], { stdin: trivy })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "maturity: standard input: this Trivy JSON report is not made for one kind of findings, so name it: " +
        "vulnerabilities; it holds 4 vulnerabilities; give --vulnerabilities\n",
    });
    expect(await stored("trivy")).toBeUndefined();
  });

  test("does not resolve it", async () => {
    await problem(["-t", "key", "--secrets", "-"], { stdin: imageWithKey });
    expect(await stored("key")).toMatchObject({ count: 1, severity: "high" });
    const { code, stdout } = await problem(["--json", "-t", "key", "--secrets", "-"], { stdin: trivy });
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 2,
      error: {
        code: "nothing-measured",
        message:
          "standard input: this looks like Trivy JSON, but does not show that secrets were looked for: Trivy writes of them " +
          "only what it found; it holds 4 vulnerabilities; give --vulnerabilities for that, or --assume-scanned, " +
          "if you know that it was looked for",
      },
    });
    expect(await stored("key")).toMatchObject({ count: 1 });
  });

  test("resolves it on the caller's word, which is said", async () => {
    await problem(["-t", "vouched", "--secrets", "-"], { stdin: imageWithKey });
    const { code, stderr } = await problem(["-t", "vouched", "--secrets", "--assume-scanned", "-"], { stdin: trivy });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "note: the report does not show that secrets were looked for: Trivy writes of them only what it found; taken for clean on the caller's word\n" +
        "note: standard input also holds 4 vulnerabilities, left out here: maturity problem report --vulnerabilities --type vouched -\n",
    });
    expect(await stored("vouched")).toMatchObject({ count: 0 });
  });

  test("its own kind is taken by its option", async () => {
    const { stdout } = await problem(["-t", "cve", "--vulnerabilities", "-"], { stdin: trivy });
    expect(stdout).toMatch(
      /^cve 4 findings, critical\n {2}cart:1\.2\.3 \(alpine 3\.20\) {2}CVE-2026-0000 zlib 1\.3\.0\n/,
    );
  });

  test("that it is of no image is said only where it is to be one", async () => {
    const stdin = JSON.stringify({ ...JSON.parse(imageWithKey), ArtifactType: "repository" });
    const { code, stderr } = await problem(["-n", "-t", "key", "--secrets", "-"], { stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const image = await maturity(["gate", "--min", "0", "--metric", "image_scan", "-"], { stdin });
    expect(image.stderr).toContain("note: scanned was a repository, not an image\n");
  });

  test("a problem is about one kind", async () => {
    expect(await problem(["-t", "x", "--secrets", "--vulnerabilities", "-"], { stdin: trivy })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'--secrets' cannot be used with option '--vulnerabilities'"),
    });
  });

  test.each(["[]", "null"])(
    "%s resolves nothing without the name of the tool or of what it looked for",
    async (silence) => {
      await problem(["-t", "leak", "-s", "high", "-"], { stdin: gitleaks("main.tf") });
      expect(await problem(["-t", "leak", "-"], { stdin: silence })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/does not say whether anything was scanned; .* name the format: gitleaks/),
      });
      expect(await stored("leak")).toMatchObject({ count: 1 });
      expect(await problem(["-t", "leak", "--format", "gitleaks", "-"], { stdin: silence })).toMatchObject({ code: 0 });
      expect(await stored("leak")).toMatchObject({ count: 0 });
    },
  );

  test("what other tools write too needs the name of the tool", async () => {
    expect(await problem(["-t", "tf", "-"], { stdin: '{"results":[]}' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("name the format: tfsec"),
    });
    expect(await problem(["-t", "tf", "--format", "tfsec", "-"], { stdin: '{"results":[]}' })).toMatchObject({
      code: 0,
    });
  });
});
