import { describe, expect, test } from "vitest";
import { claims, fiveTools, folderCommands } from "./support/folder.ts";
import { checkov, gitleaks, imageWithKey, lcov, semgrep, trivy, trufflehog } from "./support/sample-reports.ts";

const { submit, stored } = folderCommands();

describe("one call for the reports of five tools", () => {
  test("says what each file is for, merges shards and sends all in one batch", async () => {
    const sent: [string, unknown][] = [];
    const fetch = async (request: Request) => {
      if (request.method === "POST") sent.push([new URL(request.url).pathname, await request.clone().json()]);
      return globalThis.fetch(request);
    };
    const { code, stdout, stderr } = await submit([...claims, "reports"], fiveTools, "five", { fetch });
    const note = "note: unit_coverage: files of the same name and the same lines in several reports count once: 1\n";
    expect({ code, stderr }).toEqual({ code: 0, stderr: note });
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
    expect(stdout).toContain("\nstored for shop / checkout / five / prod\n");
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
    [
      "a file of another kind",
      "junit.xml",
      "<testsuites/>",
      "this looks like a JUnit test report (no metric takes test results; send their coverage)",
    ],
    ["nothing", ".gitkeep", "", "the report is empty"],
    ["a line end", ".gitkeep", "\n", "the report holds only white space"],
  ])("%s", async (_, name, content, reason) => {
    const { code, stdout } = await submit(["d"], { [`d/${name}`]: content, "d/trivy.json": trivy }, "passing");
    const line = stdout.split("\n").find((one) => one.startsWith(`d/${name}`));
    expect({ code, line }).toEqual({ code: 0, line: expect.stringContaining(reason) });
    expect(line).toContain("passed over: ");
  });

  test("an empty list is proposed for no format that does not take the metric", async () => {
    const { stdout } = await submit(
      ["--metric", "image_scan", "d"],
      { "d/e.json": "[]", "d/trivy.json": trivy },
      "none",
    );
    expect(stdout).toMatch(
      /^d\/e\.json {6}- {6}passed over: the report is \[\], .* anything was scanned; look why the tool wrote nothing else$/m,
    );
    const one = await submit(["--metric", "dast", "d"], { "d/e.json": "", "d/trivy.json": trivy }, "none");
    expect(one.stdout + one.stderr).toContain("; give --format d/e.json=nuclei\n");
  });

  test("its option takes it", async () => {
    const argv = ["--metric", "d/lcov.info=unit_coverage", "d"];
    expect(await submit(argv, { "d/lcov.info": lcov("a.ts", 1) }, "option")).toMatchObject({ code: 0 });
    expect(await stored("option")).toEqual({ unit_coverage: { coverage_pct: 10, covered: 1, total: 10 } });
  });

  test("findings for another metric are said", async () => {
    const files = { "d/image.json": imageWithKey };
    const { stderr } = await submit(["d"], files, "said");
    expect(stderr).toBe(
      "note: d/image.json also holds 1 secret, left out here: give --metric d/image.json=image_scan --metric d/image.json=secret_scan to send both\n",
    );
    const both = ["--metric", "d/image.json=image_scan", "--metric", "d/image.json=secret_scan"];
    expect(await submit([...both, "d"], files, "said")).toMatchObject({ code: 0, stderr: "" });
    expect(await stored("said")).toMatchObject({ secret_scan: { found: true }, image_scan: { critical: 0 } });
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

  test("of one tool in two versions are merged", async () => {
    const sarif = (version: string) => {
      const results = [{ ruleId: "sql", level: "error", message: { text: version } }];
      return JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "CodeQL", version } }, results }] });
    };
    const files = { "d/go.sarif": sarif("2.20.1"), "d/js.sarif": sarif("2.21.0") };
    for (const argv of [["d"], ["--metric", "sast", "d/*"]]) {
      expect(await submit(argv, files, "versions")).toMatchObject({ code: 0 });
      expect(await stored("versions")).toEqual({ sast: expect.objectContaining({ high: 2 }) });
    }
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
    expect(await submit(["--format", "trufflehog", "d"], files, "format")).toMatchObject({ code: 2 });
    await submit(["--format", "trufflehog.jsonl=trufflehog", "d"], files, "format");
    expect(await stored("format")).toEqual({ secret_scan: { found: false, count: 0 } });
  });
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
