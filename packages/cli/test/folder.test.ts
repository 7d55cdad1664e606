import { describe, expect, test } from "vitest";
import type { CliOptions } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import {
  checkov,
  gitleaks,
  grype,
  imageWithKey,
  k6,
  lcov,
  semgrep,
  trivy,
  trufflehog,
} from "./support/sample-reports.ts";
import type { Files } from "./support/tree.ts";

const service = listeningService();

/** A command for an application of its own in a directory with these files. */
const run = (command: string, argv: readonly string[], files: Files, app = "cart", options: CliOptions = {}) =>
  service.maturity([command, ...argv], files, { ...options, env: { MATURITY_APP: app } });

const submit = (argv: readonly string[], files: Files, app?: string, options?: CliOptions) =>
  run("submit", argv, files, app, options);

/** What is stored for an application: metric → raw values, problem → count. */
async function stored(app: string): Promise<Record<string, unknown>> {
  const of = async (table: "scores" | "problems") => (await service.rows(table)).filter((row) => row.app === app);
  return Object.fromEntries([
    ...(await of("scores")).map(({ metric, raw }) => [metric, raw]),
    ...(await of("problems")).map(({ problem_type, count }) => [problem_type, count]),
  ]);
}

const fiveTools = {
  "reports/checkov.json": checkov,
  "reports/gitleaks.json": gitleaks("main.tf"),
  "reports/semgrep.json": semgrep,
  "reports/trivy.json": trivy,
  "reports/unit/1/lcov.info": lcov("cart.ts", 1, 2, 3),
  "reports/unit/2/lcov.info": lcov("cart.ts", 3, 4, 5),
};
const claims = [
  ...["--metric", "lcov.info=unit_coverage"],
  ...["--problems", "gitleaks.json=repository_secret,high"],
  ...["--problems", "checkov.json=misconfiguration,medium"],
];

describe("one call for the reports of five tools", () => {
  test("says what each file is for, merges shards and sends all in one batch", async () => {
    const sent: [string, unknown][] = [];
    const fetch = async (request: Request) => {
      sent.push([new URL(request.url).pathname, await request.clone().json()]);
      return globalThis.fetch(request);
    };
    const { code, stdout, stderr } = await submit([...claims, "reports"], fiveTools, "five", { fetch });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "reports/checkov.json      checkov   problem misconfiguration",
      "reports/gitleaks.json     gitleaks  secret_scan, problem repository_secret",
      "reports/semgrep.json      semgrep   sast",
      "reports/trivy.json        trivy     image_scan",
      "reports/unit/1/lcov.info  lcov      unit_coverage",
      "reports/unit/2/lcov.info  lcov      unit_coverage",
    ]);
    expect(stdout).toContain("\nunit_coverage 50 by ");
    expect(stdout).toContain("\nrepository_secret 1 finding, high\n  main.tf:1  AWS access key\nstored; ");
    expect(stdout).toMatch(/\nstored for shop \/ checkout \/ five \/ prod\n$/);
    expect(sent.map(([path]) => path)).toEqual(["/scores", "/problem/scan-result", "/problem/scan-result"]);
    expect(sent[0]?.[1]).toMatchObject({ scores: { length: 4 } });
    expect(await stored("five")).toEqual({
      image_scan: expect.objectContaining({ critical: 1, high: 2 }),
      secret_scan: { found: true, count: 1 },
      sast: expect.objectContaining({ high: 1 }),
      unit_coverage: { coverage_pct: 50, covered: 5, total: 10 },
      repository_secret: 1,
      misconfiguration: 1,
    });
  });

  test("named one by one they are the same", async () => {
    await submit([...claims, ...Object.keys(fiveTools)], fiveTools, "named");
    const [byName, byDirectory] = [await stored("named"), await stored("five")];
    expect(byName).toEqual(byDirectory);
  });

  test("as JSON", async () => {
    const { stdout } = await submit(["--json", ...claims, "reports"], fiveTools, "machine");
    const { files, scores, problems } = JSON.parse(stdout);
    expect(files).toContainEqual({
      file: "reports/gitleaks.json",
      state: "taken",
      format: "gitleaks",
      tool: "gitleaks",
      metrics: ["secret_scan"],
      problems: ["repository_secret"],
    });
    expect(scores).toHaveLength(4);
    expect(scores).toContainEqual(
      expect.objectContaining({
        metric: "unit_coverage",
        score: 50,
        report: expect.objectContaining({ files: ["reports/unit/1/lcov.info", "reports/unit/2/lcov.info"] }),
      }),
    );
    expect(problems).toContainEqual(expect.objectContaining({ problem_type: "misconfiguration", count: 1 }));
  });

  test("a clean report resolves the problem, where its file is named", async () => {
    const files = { "reports/gitleaks.json": "[]" };
    await submit(["reports"], { "reports/trivy.json": trivy, ...files }, "machine");
    expect(await stored("machine")).toMatchObject({ repository_secret: 1, secret_scan: { found: true } });
    const named = ["--format", "gitleaks.json=gitleaks", "--problems", "gitleaks.json=repository_secret,high"];
    expect(await submit([...named, "reports"], files, "machine")).toMatchObject({ code: 0 });
    expect(await stored("machine")).toMatchObject({ repository_secret: 0, secret_scan: { found: false } });
  });
});

describe("what is passed over, with the reason and the option that takes it", () => {
  test.each<[string, string, string, string]>([
    [
      "coverage of nobody knows which tests",
      "lcov.info",
      lcov("a.ts", 1),
      "--metric d/lcov.info=unit_coverage or --metric",
    ],
    ["infrastructure code", "c.json", checkov, "does not show that secrets were looked for"],
    ["an empty list of nobody knows which tool", "e.json", "[]", "give --format d/e.json=NAME"],
    ["a file of another kind", "junit.xml", "<testsuites/>", "this looks like a JUnit test report"],
    ["nothing", ".gitkeep", "", "the report is 0 bytes"],
  ])("%s", async (_, name, content, reason) => {
    const { code, stdout } = await submit(["d"], { [`d/${name}`]: content, "d/trivy.json": trivy }, "passing");
    const line = stdout.split("\n").find((one) => one.startsWith(`d/${name}`));
    expect({ code, line }).toEqual({ code: 0, line: expect.stringContaining(reason) });
    expect(line).toContain("passed over: ");
  });

  test("its option takes it", async () => {
    const argv = ["--metric", "d/lcov.info=unit_coverage", "d"];
    expect(await submit(argv, { "d/lcov.info": lcov("a.ts", 1) }, "option")).toMatchObject({ code: 0 });
    expect(await stored("option")).toEqual({ unit_coverage: { coverage_pct: 10, covered: 1, total: 10 } });
  });

  test("findings for another metric are told", async () => {
    const files = { "d/image.json": imageWithKey };
    const { stderr } = await submit(["d"], files, "told");
    expect(stderr).toBe(
      "note: d/image.json also holds 1 secret, left out here: give --metric d/image.json=secret_scan too\n",
    );
    const both = ["--metric", "image.json=image_scan", "--metric", "image.json=secret_scan"];
    expect(await submit([...both, "d"], files, "told")).toMatchObject({ code: 0, stderr: "" });
    expect(await stored("told")).toMatchObject({ secret_scan: { found: true }, image_scan: { critical: 0 } });
  });

  test("many files that are no reports are counted", async () => {
    const others = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d/${index}.txt`, "hello"]));
    const files = { ...others, "d/trivy.json": trivy };
    const { stdout } = await submit(["d"], files, "many");
    expect(stdout).toMatch(
      /^d\/trivy\.json {2}trivy {2}image_scan\n30 other files are no reports; --json names them\n/,
    );
    expect(JSON.parse((await submit(["--json", "d"], files, "many")).stdout).files).toHaveLength(31);
  });
});

describe("nothing is sent, and the exit code is 2", () => {
  const broken = { "d/trivy.json": trivy.slice(0, -20), "d/semgrep.json": semgrep };
  test.each<[string, string[], Files, RegExp]>([
    ["a report that is cut off", ["d"], broken, /^maturity: d\/trivy\.json: this looks like Trivy JSON, but .*cut off/],
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
      "two load tests",
      ["d"],
      { "d/1.json": k6, "d/2.json": k6.replace("20", "30") },
      /d\/1\.json, d\/2\.json are all for stress_test: load tests cannot be merged.* --exclude\n$/,
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

describe("--keep-going", () => {
  test("sends the others, says what failed, and ends with 2", async () => {
    const files = { "d/trivy.json": trivy.slice(0, -20), "d/semgrep.json": semgrep };
    const { code, stderr } = await submit(["--keep-going", "d"], files, "going");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^warning: d\/trivy\.json: .*; going on without it \(--keep-going\)\n$/),
    });
    expect(await stored("going")).toEqual({ sast: expect.objectContaining({ high: 1 }) });
  });

  test("never makes half a scan a whole one", async () => {
    const files = { "d/1.json": "[]", "d/2.json": gitleaks("a.tf").slice(0, -5), "d/trivy.json": trivy };
    const argv = ["--metric", "?.json=secret_scan", "--problems", "?.json=secret,secrets,high", "--keep-going", "d"];
    const { code, stdout } = await submit(argv, files, "half");
    expect(code).toBe(2);
    expect(stdout).toContain("passed over: secret_scan may lack d/2.json, so it is not sent");
    expect(Object.keys(await stored("half"))).toEqual(["image_scan"]);
    const shards = { "d/1.json": gitleaks("b.tf"), "d/2.json": gitleaks("a.tf").slice(0, -5), "d/trivy.json": trivy };
    await submit(["--keep-going", "d"], shards, "half");
    expect(Object.keys(await stored("half"))).toEqual(["image_scan"]);
  });

  test("nor a scan whole of which a part cannot be opened", async () => {
    const deep = { [`d/${"x/".repeat(40)}2.json`]: gitleaks("b.tf"), "d/1.json": gitleaks("a.tf") };
    const { code, stdout } = await submit(["--keep-going", "d"], deep, "half open");
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("secret_scan may lack d/x/x") });
    expect(await stored("half open")).toEqual({});
  });

  test("sends nothing where nothing is left", async () => {
    const { code, stdout } = await submit(["--keep-going", "d"], { "d/trivy.json": trivy.slice(0, -20) }, "none");
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("failed: ") });
  });
});

describe("nothing to send ends with 5", () => {
  test.each<[string, Files, string]>([
    ["no report", { "d/readme.txt": "hello" }, "maturity: no report was found in d, so there is nothing to send\n"],
    ["no file", { other: "" }, "maturity: no report was found in d, so there is nothing to send\n"],
    [
      "no report that feeds a metric",
      { "d/lcov.info": lcov("a.ts", 1) },
      "maturity: no report feeds a metric as it stands in d, so there is nothing to send\n",
    ],
  ])("%s", async (_, files, stderr) => {
    const { code, ...told } = await submit(["d"], { ...files, "d/node_modules/trivy.json": trivy }, "nothing");
    expect({ code, stderr: told.stderr }).toEqual({ code: 5, stderr });
  });

  test("as JSON", async () => {
    const { code, stdout } = await submit(["--json", "d"], { "d/readme.txt": "hello" });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 5, error: { code: "nothing-to-send" } });
  });
});

describe("reports of one metric", () => {
  test("of one format are merged", async () => {
    await submit(["d"], { "d/1.json": gitleaks("a.tf"), "d/2.json": gitleaks("b.tf", "c.tf") }, "shards");
    expect(await stored("shards")).toEqual({ secret_scan: { found: true, count: 3 } });
  });

  test("count once where one is a copy of the other", async () => {
    const { stdout } = await submit(["d"], { "d/a.json": trivy, "d/copy/a.json": trivy }, "copies");
    expect(stdout).toContain("d/copy/a.json  trivy  passed over: the same as d/a.json, which counts once\n");
    expect(await stored("copies")).toEqual({ image_scan: expect.objectContaining({ critical: 1 }) });
  });

  test("of several formats are added up where each is named by itself", async () => {
    const files = { "d/gitleaks.json": gitleaks("a.tf"), "d/trufflehog.jsonl": trufflehog("b.tf") };
    expect(await submit(["d"], files, "apart")).toMatchObject({ code: 2 });
    const one = ["--metric", "*=secret_scan", "d"];
    expect(await submit(one, files, "apart")).toMatchObject({ code: 2 });
    const each = ["--metric", "gitleaks.json=secret_scan", "--metric", "trufflehog.jsonl=secret_scan", "d"];
    expect(await submit(each, files, "apart")).toMatchObject({ code: 0 });
    expect(await stored("apart")).toEqual({ secret_scan: { found: true, count: 2 } });
  });

  test("of a plain --metric are looked for in a directory, and others passed over", async () => {
    const files = { "d/lcov.info": lcov("a.ts", 1, 2), "d/trivy.json": trivy };
    const { code, stdout } = await submit(["--metric", "unit_coverage", "d"], files, "plain");
    expect(code).toBe(0);
    expect(stdout).toMatch(/d\/trivy\.json {2}trivy {2}passed over: this Trivy JSON report is about image_scan/);
    expect(Object.keys(await stored("plain"))).toEqual(["unit_coverage"]);
  });
});

describe("the caller's word", () => {
  const silent = JSON.stringify({ SchemaVersion: 2, ArtifactName: "x", ArtifactType: "container_image", Results: [] });

  test("is not for the files of a directory that are not named", async () => {
    const files = { "d/trivy.json": silent, "d/semgrep.json": semgrep };
    const { code, stdout } = await submit(["--assume-scanned", "d"], files, "word");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("passed over: this looks like Trivy"),
    });
    expect(await stored("word")).not.toHaveProperty("image_scan");
    await submit(["--assume-scanned", "--metric", "trivy.json=image_scan", "d"], files, "word");
    expect(await stored("word")).toMatchObject({ image_scan: { assumed_scanned: true } });
  });

  test("a format is not either: a file of 0 bytes is no clean scan", async () => {
    const files = { "d/.gitkeep": "", "d/trufflehog.jsonl": "" };
    expect(await submit(["--format", "trufflehog", "d"], files, "format")).toMatchObject({ code: 5 });
    await submit(["--format", "trufflehog.jsonl=trufflehog", "d"], files, "format");
    expect(await stored("format")).toEqual({ secret_scan: { found: false, count: 0 } });
  });
});

test.each<[string[], string]>([
  [["--problems", "secret", "d"], "--problems must be PATTERN=TYPE, and behind commas at most one of secrets, "],
  [["--problems", "a.json=secret,grave", "d"], "--problems must be PATTERN=TYPE"],
  [["--problems", "a.json=secret,high,low", "d"], "--problems must be PATTERN=TYPE"],
  [["--metric", "a.json=coverage", "d"], "there is no metric coverage"],
  [["--metric", "a.json=sla", "d"], "no report feeds sla"],
  [["--metric", "sast", "--metric", "dast", "d"], "of several --metric each but one needs the files it is for"],
  [["--format", "a.json=triwy", "d"], "Did you mean trivy?"],
])("wrong use is told: %s", async (argv, message) => {
  const result = await submit(argv, { "d/trivy.json": trivy });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

describe("--raw beside a directory", () => {
  test("completes its only metric", async () => {
    await submit(["--raw", "high=0", "d"], { "d/trivy.json": trivy }, "raw");
    expect(await stored("raw")).toMatchObject({ image_scan: { critical: 1, high: 0 } });
  });

  test("is refused where there are several", async () => {
    const files = { "d/trivy.json": trivy, "d/semgrep.json": semgrep };
    expect(await submit(["--raw", "high=0", "d"], files)).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("maturity detect", () => {
  const nowhere: CliOptions = { fetch: () => Promise.reject(new Error("the network was used")) };

  test("says the same as submit, and sends nothing", async () => {
    const said = await run("detect", [...claims, "reports"], fiveTools, "detected", nowhere);
    const done = await submit([...claims, "reports"], fiveTools, "submitted");
    expect(said).toEqual({ code: 0, stdout: `${done.stdout.split("\n").slice(0, 6).join("\n")}\n`, stderr: "" });
    expect(await stored("detected")).toEqual({});
  });

  test("as JSON, with the values that would be sent", async () => {
    const { stdout } = await run("detect", ["--json", ...claims, "reports"], fiveTools, "x", nowhere);
    expect(JSON.parse(stdout)).toMatchObject({
      files: { length: 6 },
      scores: expect.arrayContaining([
        expect.objectContaining({ metric: "unit_coverage", raw: { coverage_pct: 50, covered: 5, total: 10 } }),
      ]),
      problems: expect.arrayContaining([
        expect.objectContaining({ problem_type: "repository_secret", severity: "high", count: 1 }),
      ]),
    });
  });

  test.each<[string, Files, number]>([
    ["what would be sent", { "d/trivy.json": trivy }, 0],
    ["a broken report", { "d/trivy.json": trivy.slice(0, -20) }, 2],
    ["nothing", {}, 5],
  ])("ends as submit would: %s", async (_, files, code) => {
    const tree = { ...files, "d/readme.txt": "hello" };
    for (const argv of [["d"], ["--json", "d"]]) {
      expect((await run("detect", argv, tree, "x", nowhere)).code).toBe(code);
    }
    expect((await submit(["--dry-run", "d"], tree, "x", nowhere)).code).toBe(code);
  });

  test("of one file, and of standard input", async () => {
    const { stdout } = await run("detect", ["trivy.json"], { "trivy.json": trivy }, "x", nowhere);
    expect(stdout).toBe("trivy.json  trivy  image_scan\n");
    expect(await run("detect", ["-"], {}, "x", { ...nowhere, stdin: semgrep })).toMatchObject({ code: 0 });
    expect(await run("detect", [], {}, "x", nowhere)).toMatchObject({ code: 2 });
  });
});

test("a problem that the service refuses is told, beside the scores it stored", async () => {
  const argv = ["--problems", "gitleaks.json=bad\u0007type,high", "d"];
  const { code, stdout, stderr } = await submit(argv, { "d/gitleaks.json": gitleaks("a.tf") }, "partly");
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("secret_scan 0 by") });
  expect(stderr).toMatch(/^warning: not stored are the problems bad\\u\{7\}type\nmaturity: /);
});
