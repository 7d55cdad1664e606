import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Files } from "../../../test-support/trees.ts";
import { folderCommands } from "./support/folder.ts";
import { checkov, gitleaks, grype, imageWithKey, k6, lcov, semgrep, trivy } from "./support/sample-reports.ts";

const { submit, stored } = folderCommands();

const gatling = JSON.stringify({
  type: "GROUP",
  name: "All Requests",
  stats: {
    name: "All Requests",
    numberOfRequests: { total: 10, ok: 9, ko: 1 },
    percentiles3: { total: 9, ok: 9, ko: 9 },
  },
});

/** A clean scan for secrets. */
const cleanGitlab = JSON.stringify({
  version: "15.0.0",
  vulnerabilities: [],
  scan: { type: "secret_detection", status: "success", scanner: { id: "g", name: "G" } },
});

/** Another one, cut off before it says of which format it is. */
const cutGitlab = '{"version":"15.0.0","vulnerabilities":[{"id":"1","category":"secret_detection","raw_source';

const sarif = (name: string, version?: string) =>
  JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name, version } }, results: [] }] });

describe("nothing is sent, and the exit code is 2", () => {
  const broken = { "d/trivy.json": trivy.slice(0, -20), "d/semgrep.json": semgrep };
  test.each<[string, string[], Files, RegExp]>([
    ["a report that is cut off", ["d"], broken, /^maturity: d\/trivy\.json: this looks like Trivy JSON, but .*cut off/],
    [
      "a report of nobody knows which tool that is cut off",
      ["d"],
      { "d/a.json": cleanGitlab, "d/b.json": cutGitlab },
      /^maturity: d\/b\.json: this looks like JSON .*, but is cut off: .*; leave it out by --exclude d\/b\.json\n$/,
    ],
    [
      "XML that is cut off, and larger than what is read of other files",
      ["d"],
      { "d/trivy.json": trivy, "d/junit.xml": `<testsuites>${"<testsuite/>".repeat(10_000)}` },
      /^maturity: d\/junit\.xml: this looks like a JUnit test report .*, but is cut off inside testsuites; leave it out/,
    ],
    [
      "a gzip file that is cut off",
      ["d"],
      { "d/trivy.json": trivy, "d/b.json.gz": gzipSync(cutGitlab).subarray(0, 60) },
      /^maturity: d\/b\.json\.gz: .*gzip file that is cut off or damaged/,
    ],
    [
      "a gzip file that is cut off before it holds anything",
      ["d"],
      { "d/trivy.json": trivy, "d/b.json.gz": gzipSync(cutGitlab).subarray(0, 10) },
      /^maturity: d\/b\.json\.gz: .*gzip file that is cut off or damaged/,
    ],
    [
      "a scan and its copy by another tool",
      ["d"],
      { "d/trivy.json": trivy, "d/grype.json": grype },
      /^maturity: d\/grype\.json \(grype\) and d\/trivy\.json \(trivy\) are both for image_scan: leave one out by --exclude d\/trivy\.json, or have them added up by --metric d\/grype\.json=image_scan --metric d\/trivy\.json=image_scan\n$/,
    ],
    [
      "the same, one by one",
      ["trivy.json", "grype.json"],
      { "trivy.json": trivy, "grype.json": grype },
      /trivy\.json \(trivy\) and grype\.json \(grype\) are both for image_scan/,
    ],
    [
      "the same, of one metric",
      ["--metric", "image_scan", "*.json"],
      { "trivy.json": trivy, "grype.json": grype },
      /^maturity: grype\.json \(grype\) and trivy\.json \(trivy\) are both for image_scan: leave one out, or have them added up by --metric grype\.json=image_scan --metric trivy\.json=image_scan\n$/,
    ],
    [
      "a format of several tools, of two of them",
      ["d"],
      { "d/1.sarif": sarif("CodeQL", "2.1.0"), "d/2.sarif": sarif("Semgrep OSS") },
      /^maturity: d\/1\.sarif \(sarif of CodeQL\) and d\/2\.sarif \(sarif of Semgrep OSS\) are both for sast: leave one out/,
    ],
    [
      "the same, of one metric, one by one",
      ["--metric", "sast", "1.sarif", "2.sarif"],
      { "1.sarif": sarif("CodeQL"), "2.sarif": sarif("Semgrep OSS", "1.66.2") },
      /^maturity: 1\.sarif \(sarif of CodeQL\) and 2\.sarif \(sarif of Semgrep OSS\) are both for sast: leave one out, or/,
    ],
    [
      "two load tests",
      ["d"],
      { "d/1.json": k6, "d/2.json": k6.replace("20", "30") },
      /d\/1\.json, d\/2\.json are all for stress_test: load tests cannot be merged.* --exclude\n$/,
    ],
    [
      "load tests of two tools, which nobody can add up",
      ["d"],
      { "d/k6.json": k6, "d/stats.json": gatling },
      /d\/k6\.json \(k6-\S+\) and d\/stats\.json \(gatling-stats\) are both for stress_test: leave one out by --exclude d\/stats\.json\n$/,
    ],
    [
      "a pattern without a file",
      ["--metric", "lcov.inf=unit_coverage", "d"],
      { "d/trivy.json": trivy },
      /names no file/,
    ],
    [
      "a pattern whose files are left out",
      ["--metric", "lcov.info=unit_coverage", "--exclude", "lcov.info", "d"],
      { "d/trivy.json": trivy, "d/lcov.info": lcov("a.ts", 1) },
      /--metric lcov\.info=unit_coverage: names no file/,
    ],
    [
      "a metric for all other files, of which none feeds it",
      ["--metric", "unit_coverage", "--metric", "trivy.json=image_scan", "d"],
      { "d/trivy.json": trivy },
      /^maturity: --metric unit_coverage: no report feeds it\n$/,
    ],
    [
      "a format for files that are named, where none is",
      ["--format", "nuclei", "d"],
      { "d/trivy.json": trivy, "d/nuclei.jsonl": "" },
      /^maturity: --format nuclei: is for files that are named, and none is left for it; of a directory give --format FILE=nuclei\n$/,
    ],
    [
      "a pattern that leaves nothing out",
      ["--exclude", "odl.json", "d"],
      { "d/old.json": trivy },
      /^maturity: --exclude odl\.json: names no file of a directory\n$/,
    ],
    [
      "the same with --keep-going, since what it should leave out is taken",
      ["--exclude", "odl.json", "--keep-going", "d"],
      { "d/old.json": trivy, "d/semgrep.json": semgrep },
      /^maturity: --exclude odl\.json: names no file of a directory\n$/,
    ],
    [
      "a file that is named beside its directory",
      ["d", "./d/junit.xml"],
      { "d/trivy.json": trivy, "d/junit.xml": "<testsuites/>" },
      /d\/junit\.xml: this looks like a JUnit test report/,
    ],
    [
      "a problem of two severities",
      ["--problems", "a.json=x,high", "--problems", "b.json=x,low", "d"],
      { "d/a.json": gitleaks("a.tf"), "d/b.json": gitleaks("b.tf") },
      /--problems names two severities for x: high and low/,
    ],
    [
      "a named file that shows nothing",
      ["--metric", "c.json=secret_scan", "d"],
      { "d/c.json": checkov, "d/trivy.json": trivy },
      /d\/c\.json: .*does not show that secrets were looked for.*give --assume-scanned/,
    ],
    [
      "a file among several that says not what it is for",
      ["trivy.json", "lcov.info"],
      { "trivy.json": trivy, "lcov.info": lcov("a.ts", 1) },
      /lcov\.info: .* give --metric lcov\.info=unit_coverage/,
    ],
    [
      "one test run for two metrics",
      ["--metric", "*.info=unit_coverage", "--metric", "lcov.info=integration_coverage", "d"],
      { "d/lcov.info": lcov("a.ts", 1) },
      /is named for unit_coverage and integration_coverage, and one report measures only one/,
    ],
    [
      "a problem by a report that does not list its kind",
      ["--problems", "trivy.json=image_secret", "d"],
      { "d/trivy.json": trivy },
      /not made for one kind of findings.*--problems d\/trivy\.json=image_secret,vulnerabilities/,
    ],
    [
      "a problem that nothing shows to be resolved",
      ["--problems", "trivy.json=image_secret,secrets", "d"],
      { "d/trivy.json": trivy },
      /does not show that secrets were looked for/,
    ],
    [
      "a problem by a report of nothing, as maturity problem report says it",
      ["--problems", "c.json=m,medium", "d"],
      { "d/c.json": '{"passed":0,"failed":0,"skipped":0,"parsing_errors":0,"resource_count":0,"checkov_version":"3"}' },
      /d\/c\.json: this looks like Checkov JSON, but (?!.*secrets were looked for)/,
    ],
    [
      "a problem by a report without findings, rather than its metric",
      ["lcov.info", "--problems", "lcov.info=t"],
      { "lcov.info": lcov("a.ts", 1) },
      /^maturity: lcov\.info: .* lists no findings with their files\n$/,
    ],
    [
      "a problem of two kinds of findings",
      ["--problems", "a.json=x,secrets", "--problems", "b.json=x,vulnerabilities", "d"],
      { "d/a.json": imageWithKey, "d/b.json": trivy },
      /but about different things \(secrets, vulnerabilities\): give each a type of its own/,
    ],
    [
      "a problem without a severity",
      ["--problems", "gitleaks.json=secret", "d"],
      { "d/gitleaks.json": gitleaks("a.tf") },
      /names no severity for the problem secret: give one, such as --problems d\/gitleaks\.json=secret,high/,
    ],
  ])("%s", async (_, argv, files, message) => {
    const { code, stderr } = await submit(argv, files, "unsent");
    expect({
      code,
      message: stderr
        .split("\n")
        .filter((line) => !line.startsWith("note: "))
        .join("\n"),
    }).toEqual({
      code: 2,
      message: expect.stringMatching(message),
    });
    expect(await stored("unsent")).toEqual({});
  });

  test("every fault has its line", async () => {
    const files = { ...broken, "d/gosec.json": '{"Golang errors":{},"Stats":' };
    const { stderr } = await submit(["d"], files, "unsent");
    expect(stderr).toMatch(/^maturity: nothing was sent:\n {2}- d\/gosec\.json: .*\n {2}- d\/trivy\.json: .*\n$/);
    const { code, stdout } = await submit(["--json", "d"], files, "unsent");
    const { error } = JSON.parse(stdout);
    expect({ code, error }).toMatchObject({ code: 2, error: { code: "unreadable-files", details: { length: 2 } } });
    expect(error.details[1]).toMatchObject({ path: "d/trivy.json", message: expect.stringContaining("cut off") });
  });
});

describe("nothing to send ends with 5", () => {
  test.each<[string, Files, string]>([
    ["no report", { "d/readme.txt": "hello" }, "maturity: no report was found in d, so there is nothing to send\n"],
    ["white space", { "d/.keep": "\n" }, "maturity: no report was found in d, so there is nothing to send\n"],
    ["no file", { other: "" }, "maturity: no report was found in d, so there is nothing to send\n"],
    [
      "no report that feeds a metric",
      { "d/lcov.info": lcov("a.ts", 1) },
      "maturity: no report feeds a metric as it stands in d, so there is nothing to send\n",
    ],
  ])("%s", async (_, files, stderr) => {
    const { code, ...said } = await submit(["d"], { ...files, "d/node_modules/trivy.json": trivy }, "nothing");
    expect({ code, stderr: said.stderr }).toEqual({ code: 5, stderr });
  });

  test("as JSON", async () => {
    const { code, stdout } = await submit(["--json", "d"], { "d/readme.txt": "hello" });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 5, error: { code: "nothing-to-send" } });
  });
});

test.each<[string[], string]>([
  [
    ["--problems", "secret", "d"],
    "--problems must be PATTERN=TYPE, such as gitleaks.json=repository_secret,high; behind commas stand at most one of secrets, ",
  ],
  [["--problems", "a.json=secret,hihg", "d"], '--problems knows no "hihg"; it must be PATTERN=TYPE'],
  [
    ["--problems", "a.json=secret,secrts", "d"],
    '--problems knows no "secrts"; did you mean secrets? It must be PATTERN=TYPE',
  ],
  [["--problems", "a.json=secret,high,low", "d"], "--problems has high,low at once; it must be PATTERN=TYPE"],
  [["--metric", "a.json=", "d"], "the metric has no name; there are image_scan, "],
  [["--metric", "a.json=coverage", "d"], "there is no metric coverage"],
  [["--metric", "a.json=sla", "d"], "no report feeds sla"],
  [["--metric", "sast", "--metric", "dast", "d"], "of several --metric each but one needs the files it is for"],
  [["--format", "a.json=triwy", "d"], "there is no format triwy; did you mean trivy? There are "],
])("wrong use is said: %s", async (argv, message) => {
  const result = await submit(argv, { "d/trivy.json": trivy });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test("a file that is not there is named once", async () => {
  const { code, stdout, stderr } = await submit(["a.json", "b.json"], { "a.json": trivy });
  expect({ code, row: stdout.split("\n")[1], stderr }).toEqual({
    code: 2,
    row: "b.json  -      failed: it cannot be read: there is no such file",
    stderr: "maturity: b.json: it cannot be read: there is no such file\n",
  });
});

test("a problem that the service refuses is said, beside the scores it stored", async () => {
  const argv = ["--problems", "gitleaks.json=leak,high", "d"];
  const fetch = async (request: Request) =>
    request.url.endsWith("/problem/scan-result")
      ? Response.json({ statusCode: 403, code: "forbidden", message: "out of bounds", details: [] }, { status: 403 })
      : globalThis.fetch(request);
  const { code, stdout, stderr } = await submit(argv, { "d/gitleaks.json": gitleaks("a.tf") }, "partly", { fetch });
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("secret_scan 0 by") });
  expect(stderr).toBe("warning: not stored are the problems leak\nmaturity: out of bounds\n");
});
