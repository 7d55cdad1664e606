import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Files, useTree } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";
import { gitleaks, lcov, semgrep, trivy } from "./support/sample-reports.ts";

/** Nothing is sent, so there is no service. */
async function run(argv: readonly string[], files: Files, stdin?: string) {
  const fetch = () => Promise.reject(new Error("the network was used"));
  return maturity(argv, { cwd: await useTree(files), fetch, ...(stdin !== undefined && { stdin }) });
}

const twice: Files = { "a.json": trivy, "copy.json": trivy };
const packed: Files = { "d/trivy.json": trivy, "d/trivy.json.gz": gzipSync(trivy) };
const said = "copy.json is the same as a.json, which counts once";

describe("a copy of a report that is named counts once, and it is said which file is left out", () => {
  test.each<[string, string[], Files, string]>([
    ["in gate, of a metric", ["gate", "--min", "10", "-m", "image_scan", "a.json", "copy.json"], twice, said],
    ["of submit with one metric", ["submit", "-n", "-m", "image_scan", "a.json", "copy.json"], twice, said],
    [
      "packed by gzip",
      ["gate", "--min", "10", "-m", "image_scan", "d/*"],
      packed,
      "d/trivy.json.gz is the same as d/trivy.json, which",
    ],
  ])("%s", async (_, argv, files, note) => {
    const { code, stdout, stderr } = await run(argv, files);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^image_scan 37\.89 /m),
      stderr: expect.stringContaining(note),
    });
  });

  test.each<[string, string[], Files, string]>([
    ["by a pattern", ["gate", "--min", "10", "*.json"], twice, "the same as a.json, which counts once"],
    ["in a directory", ["gate", "--min", "10", "d"], packed, "the same as d/trivy.json, which counts once"],
  ])("in gate, %s, in the row of the file", async (_, argv, files, row) => {
    const { code, stdout } = await run(argv, files);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(row) });
  });

  test("in problem, as JSON too", async () => {
    const files = { "a.json": gitleaks("a.tf"), "copy.json": gitleaks("a.tf"), "b.json": gitleaks("b.tf") };
    const argv = ["problem", "report", "--json", "-n", "-t", "x", "-s", "high", "a.json", "copy.json", "b.json"];
    const { code, stdout, stderr } = await run(argv, files);
    expect({ code, stderr, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      stderr: `note: ${said}\n`,
      count: 2,
      report: { files: ["a.json", "b.json"], notes: [said] },
    });
  });

  test("of standard input", async () => {
    const { stdout, stderr } = await run(
      ["gate", "--min", "10", "-m", "image_scan", "-", "a.json"],
      { "a.json": trivy },
      trivy,
    );
    expect(stdout).toMatch(/^image_scan 37\.89 /);
    expect(stderr).toBe("note: a.json is the same as standard input, which counts once\n");
  });

  test.each([[["a.json", "copy.json"]], [["*.json"]]])("of submit, among several files: %j", async (names) => {
    const { code, stdout } = await run(["submit", "-n", ...names], twice);
    expect({ code, lines: stdout.split("\n").slice(0, 3) }).toEqual({
      code: 0,
      lines: [
        "a.json     trivy  image_scan",
        "copy.json  trivy  passed over: the same as a.json, which counts once",
        "image_scan 37.89 by @maturity/security@0.1.0",
      ],
    });
  });
});

describe("of a directory", () => {
  test("a report beside itself packed by gzip counts once", async () => {
    const { code, stdout } = await run(["submit", "-n", "d"], packed);
    expect(code).toBe(0);
    expect(stdout).toContain("d/trivy.json.gz  trivy  passed over: the same as d/trivy.json, which counts once\n");
    expect(stdout).toMatch(/^image_scan 37\.89 /m);
  });

  test("a copy of a file that is named beside it counts once", async () => {
    const { stdout } = await run(["submit", "-n", "d/z.json", "d"], { "d/a.json": trivy, "d/z.json": trivy });
    expect(stdout).toContain("d/a.json  trivy  passed over: the same as d/z.json, which counts once\n");
    expect(stdout).toMatch(/^image_scan 37\.89 /m);
  });

  test("a copy that is named for something else too is used for that alone", async () => {
    const files = { "d/a.json": gitleaks("a.tf"), "d/b.json": gitleaks("a.tf") };
    const { code, stdout, stderr } = await run(["submit", "-n", "--problems", "b.json=leak,high", "d"], files);
    expect({ code, lines: stdout.split("\n").slice(0, 2), stderr }).toEqual({
      code: 0,
      lines: ["d/a.json  gitleaks  secret_scan", "d/b.json  gitleaks  problem leak"],
      stderr: "note: d/b.json is the same as d/a.json, which counts once for secret_scan\n",
    });
  });
});

describe("no copy is", () => {
  test("a shard with other content", async () => {
    const files = { "1/lcov.info": lcov("a.ts", 1, 2), "2/lcov.info": lcov("a.ts", 3) };
    const { stdout, stderr } = await run(["gate", "--min", "0", "-m", "unit_coverage", "*/lcov.info"], files);
    const note = "note: files of the same name and the same lines in several reports count once: 1\n";
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^unit_coverage 30 /), stderr: note });
  });

  test("what is read for something else", async () => {
    const files = { "d/a.json": semgrep, "d/b.json": semgrep };
    const argv = [
      "detect",
      "--metric",
      "a.json=sast",
      "--problems",
      "b.json=f,high",
      "--metric",
      "b.json=cost.sast",
      "d",
    ];
    const { stdout } = await run(argv, files);
    expect(stdout).not.toContain("the same as");
  });

  test("an empty report of another tool, as the caller says", async () => {
    const files = { "d/gitleaks.json": "[]", "d/trufflehog.json": "[]" };
    const formats = ["--format", "gitleaks.json=gitleaks", "--format", "trufflehog.json=detect-secrets"];
    const { stdout } = await run(["detect", ...formats, "d"], files);
    expect(stdout).not.toContain("the same as");
  });
});
