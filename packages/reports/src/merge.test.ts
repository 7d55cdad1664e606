import { describe, expect, test } from "vitest";
import { mergeReadings, type Reading, readReport } from "./index.ts";
import { noFindings } from "./severities.ts";

const bandit = (...severities: string[]) =>
  readReport(
    JSON.stringify({
      errors: [],
      generated_at: "2026-01-05T10:00:00Z",
      metrics: { _totals: { loc: 1, nosec: 0 } },
      results: severities.map((issue_severity) => ({ test_id: "B1", issue_severity })),
    }),
  );
const leaks = (...files: string[]) =>
  readReport(JSON.stringify(files.map((File) => ({ RuleID: "x", Description: "Key", File, StartLine: 1 }))), {
    format: "gitleaks",
  });
const tfsec = (...rules: string[]) =>
  readReport(
    JSON.stringify({
      results: rules.map((rule_id) => ({
        rule_id,
        severity: "LOW",
        description: "Open",
        location: { filename: "a.tf" },
      })),
    }),
    { metric: "secret_scan" },
  );
const lcov = (file: string, ...hits: number[]) =>
  readReport(`SF:${file}\n${hits.map((count, index) => `DA:${index + 1},${count}\n`).join("")}end_of_record\n`);
const k6 = () =>
  readReport(
    JSON.stringify({
      metrics: {
        http_req_failed: { value: 0, passes: 0, fails: 10 },
        http_req_duration: { avg: 1, min: 1, med: 1, max: 9, "p(90)": 8, "p(95)": 9 },
        http_reqs: { count: 10, rate: 1 },
        checks: { value: 1, passes: 10, fails: 0 },
      },
    }),
  );

const withoutLoad = ({ load: _, ...reading }: Reading): Reading => reading;
const aboutNothing = ({ metric: _, ...reading }: Reading): Reading => reading;
const assuming = (severity: "low" | "high", reading: Reading): Reading => ({ ...reading, assumed: { severity } });

describe("findings", () => {
  test("are added up", () => {
    const leftOut = { ...bandit(), warnings: ["2 files could not be parsed"] };
    const merged = mergeReadings([bandit("HIGH", "?"), bandit(), bandit("HIGH", "?", "LOW"), leftOut]);
    expect(merged).toMatchObject({
      format: "bandit",
      tool: "Bandit",
      metric: "sast",
      metrics: { sast: { critical: 0, high: 2, medium: 0, low: 1, unknown: 2 } },
      warnings: ["2 files could not be parsed"],
      notes: ["1 of unknown severity, not scored (--assume-severity counts them) (in each of 2 reports)"],
    });
  });

  test("a secret found by any is found", () => {
    expect(mergeReadings([leaks(), leaks("a.env"), leaks("b.env")])).toMatchObject({
      metrics: { secret_scan: { found: true, count: 2 } },
      problem: { count: 2, details: [{ file: "a.env" }, { file: "b.env" }] },
    });
    expect(mergeReadings([leaks(), leaks()])).toMatchObject({ metrics: { secret_scan: { found: false, count: 0 } } });
  });

  test("what one of them was not looked for in is not known of both", () => {
    const merged = mergeReadings([bandit("HIGH"), { ...bandit("HIGH"), metrics: {} }]);
    expect(merged.metrics).toEqual({});
  });

  test("what one was taken for on the caller's word is so in all", () => {
    const assumed = readReport(
      JSON.stringify({ SchemaVersion: 2, ArtifactName: "cart", Results: [{ Target: "cart", Class: "os-pkgs" }] }),
      { metric: "secret_scan", assumeScanned: true },
    );
    const merged = mergeReadings([readReport("[]", { metric: "secret_scan" }), assumed]);
    expect(merged).toMatchObject({
      assumed: { scanned: true },
      metrics: { secret_scan: { found: false, count: 0, assumed_scanned: true } },
    });
  });

  test("of tools that look for secrets only, and of others", () => {
    const merged = mergeReadings([leaks("a.env"), tfsec("aws-x", "GEN003")]);
    expect(merged).toMatchObject({
      format: "gitleaks, tfsec",
      problems: { secrets: { count: 2 } },
      metrics: { secret_scan: { found: true, count: 2 } },
    });
    // Of what kind they are together, and which problem that is, nobody said.
    expect(merged).not.toHaveProperty("kind");
    expect(merged).not.toHaveProperty("problem");
  });

  test("of one kind are one problem of it", () => {
    expect(mergeReadings([tfsec("GEN003"), tfsec("aws-x", "GEN003")])).toMatchObject({
      kind: "findings",
      problem: { count: 3, severity: "low" },
    });
    expect(mergeReadings([leaks(), { ...leaks("a.env"), kind: "findings" }])).not.toHaveProperty("problem");
  });

  test("of one kind, of which one report lists none, are no problem", () => {
    const { problem: _, ...unlisted } = leaks("a.env");
    const merged = mergeReadings([leaks("b.env"), unlisted]);
    expect(merged).not.toHaveProperty("kind");
    expect(merged).not.toHaveProperty("problem");
  });
});

describe("coverage", () => {
  test("of two runs over the same source is what either covers", () => {
    const merged = mergeReadings([lcov("a.ts", 1, 0, 0), lcov("a.ts", 0, 1, 0)]);
    expect(merged.metrics.unit_coverage).toMatchObject({ covered: 2, total: 3 });
    expect(merged).not.toHaveProperty("tool");
  });

  test("of two parts of the source is that of both", () => {
    const merged = mergeReadings([lcov("a.ts", 1), lcov("b.ts", 0, 0, 0)]);
    expect(merged.metrics.unit_coverage).toMatchObject({ coverage_pct: 25, covered: 1, total: 4 });
  });
});

describe("a merged reading has", () => {
  test("of secrets: all that either has", () => {
    const found = [
      { file: "a.env", line: 1, description: "Key" },
      { file: "b.env", line: 1, description: "Key" },
    ];
    const problem = { count: 2, details: found };
    const held = { what: "1 secret", count: 1, kind: "secrets", metric: "secret_scan" };
    expect(mergeReadings([leaks("a.env"), leaks("b.env")])).toEqual({
      findings: { secret_scan: { ...problem, severities: { ...noFindings(), unknown: 2 } } },
      format: "gitleaks",
      tool: "gitleaks",
      metric: "secret_scan",
      metrics: { secret_scan: { found: true, count: 2 } },
      kind: "secrets",
      problem,
      problems: { secrets: problem },
      evidence: "a report of gitleaks",
      held: [held, held],
      warnings: [],
      notes: [],
    });
  });

  test("of counts by severity: their sum", () => {
    const sum = { critical: 0, high: 1, medium: 0, low: 2, info: 0, unknown: 0 };
    const merged = mergeReadings([bandit("HIGH", "LOW"), bandit("LOW")]);
    expect(merged).toMatchObject({ severities: sum, metrics: { sast: sum }, findings: { sast: { severities: sum } } });
    for (const absent of ["kind", "coverage", "assumed"]) expect(merged).not.toHaveProperty(absent);
  });

  test("of coverage: the lines, and no evidence where none has any", () => {
    const merged = mergeReadings([lcov("a.ts", 1, 0), lcov("b.ts", 1)]);
    expect(merged).toMatchObject({ coverage: { unit: "lines", covered: 2, total: 3 } });
    for (const absent of ["evidence", "severities"]) expect(merged).not.toHaveProperty(absent);
  });

  test("each tool, each evidence and each note once", () => {
    const { evidence: _, ...silent } = bandit();
    const others = { ...bandit(), tool: "Bandit 2", evidence: "files", notes: ["b"] };
    const merged = mergeReadings([{ ...bandit(), notes: ["a", "b"] }, silent, others, bandit()]);
    expect(merged).toMatchObject({
      tool: "Bandit, Bandit 2",
      evidence: "lines of code; files",
      notes: ["a", "b (in each of 2 reports)"],
    });
  });

  test("the name of each tool once, without its version, of a format of several tools", () => {
    const sarif = (...drivers: object[]) =>
      readReport(
        JSON.stringify({ version: "2.1.0", runs: drivers.map((driver) => ({ tool: { driver }, results: [] })) }),
      );
    const bom = (...components: object[]) =>
      readReport(
        JSON.stringify({
          bomFormat: "CycloneDX",
          metadata: { tools: { components }, component: { type: "container" } },
          vulnerabilities: [{ id: "CVE-1", ratings: [{ severity: "low" }] }],
        }),
      );
    const codeQl = { name: "CodeQL", version: "2.20.1" };
    const semgrep = { name: "Semgrep OSS", semanticVersion: "1.0.0" };
    const readings = [sarif(semgrep, codeQl), sarif({ ...codeQl, version: "2.21.0" })];
    expect(readings.map(({ toolNames }) => toolNames)).toEqual([["CodeQL", "Semgrep OSS"], ["CodeQL"]]);
    expect(mergeReadings(readings)).toMatchObject({ toolNames: ["CodeQL", "Semgrep OSS"] });
    expect(bom({ name: "trivy", version: "0.50.0" }, { name: "grype" })).toMatchObject({
      toolNames: ["grype", "trivy"],
    });
    expect(bandit()).not.toHaveProperty("toolNames");
  });

  test("nothing that one of them does not say", () => {
    const { severities: _, ...uncounted } = bandit("HIGH");
    expect(mergeReadings([bandit("HIGH"), uncounted])).not.toHaveProperty("severities");
    expect(mergeReadings([leaks("a.env"), { ...leaks("a.env"), problems: {} }]).problems).toEqual({});
  });
});

test("the severity that is assumed is that of reports with findings without one", () => {
  const merged = mergeReadings([
    assuming("low", bandit("?")),
    assuming("low", bandit("?")),
    assuming("high", bandit()),
  ]);
  expect(merged).toMatchObject({ assumed: { severity: "low" }, metrics: { sast: { low: 2, unknown: 0 } } });
});

test("of findings without a severity that feed no metric by severity, each report may assume another one", () => {
  const secrets: Reading = { ...bandit("?"), metric: "secret_scan" };
  expect(mergeReadings([assuming("low", secrets), assuming("high", secrets)]).severities).toMatchObject({ unknown: 2 });
});

test("one reading stays as it is", () => {
  const reading = bandit("HIGH");
  expect(mergeReadings([reading])).toBe(reading);
  expect(mergeReadings([k6()]).metrics.stress_test).toMatchObject({ error_rate: 0, p95_ms: 9, checks_pct: 100 });
});

test.each<[string, () => unknown, string]>([
  ["nothing", () => mergeReadings([]), "there is no report to merge"],
  ["two metrics", () => mergeReadings([bandit(), leaks()]), "a report of sast and one of secret_scan cannot be merged"],
  ["two load tests", () => mergeReadings([k6(), k6()]), "load tests cannot be merged"],
  ["a load test and none", () => mergeReadings([k6(), withoutLoad(k6())]), "load tests cannot be merged"],
  [
    "a metric and none",
    () => mergeReadings([bandit(), aboutNothing(bandit())]),
    "a report of sast and one of no metric",
  ],
  [
    "two severities that are assumed",
    () => mergeReadings([assuming("low", bandit("?")), assuming("high", bandit("?"))]),
    "of findings without a severity each report assumes another one",
  ],
])("refused: %s", (_name, merge, message) => {
  expect(merge).toThrow(expect.objectContaining({ code: "not-mergeable", message: expect.stringContaining(message) }));
});
