import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { type CliOptions, maturity } from "./support/cli.ts";
import { lcov } from "./support/sample-reports.ts";

const now = Date.parse("2026-11-24T12:00:00Z");
/** The report of a clean image that was scanned at this time. */
const scanned = (CreatedAt?: string) =>
  JSON.stringify({
    SchemaVersion: 2,
    CreatedAt,
    ArtifactName: "cart:1.2.3",
    ArtifactType: "container_image",
    Results: [{ Target: "cart:1.2.3 (alpine 3.20)", Class: "os-pkgs", Type: "alpine" }],
  });
const covered = (timestamp: string) =>
  `<coverage line-rate="0.5" lines-covered="1" lines-valid="2" timestamp="${timestamp}"><packages/></coverage>`;

/** Nothing is sent, so there is no service. */
const run = (argv: readonly string[], options: CliOptions = {}) =>
  maturity(argv, { now: () => now, fetch: () => Promise.reject(new Error("the network was used")), ...options });
const image = ["--metric", "image_scan"];

describe("a report says how old it is", () => {
  test.each([
    ["2026-11-03T12:00:00Z", "note: scanned 21 days ago\n"],
    ["2026-11-23T12:00:00Z", "note: scanned 1 day ago\n"],
    ["2026-11-23T12:00:01Z", ""],
    ["2026-11-24T12:04:00Z", ""],
    ["2026-11-25T12:00:00Z", "note: CreatedAt holds a time in the future, which does not count\n"],
    [undefined, ""],
  ])("scanned at %s", async (time, stderr) => {
    const result = await run(["submit", "--dry-run", ...image, "-"], { stdin: scanned(time) });
    expect(result).toMatchObject({ code: 0, stderr });
  });

  test("by what was measured, and as JSON", async () => {
    const argv = ["submit", "--json", "--dry-run", "--metric", "unit_coverage", "-"];
    const { stdout } = await run(argv, { stdin: covered("1793577600") });
    expect(JSON.parse(stdout).scores[0].report).toMatchObject({
      measured_at: "2026-11-02T00:00:00.000Z",
      notes: ["measured 22 days ago"],
    });
  });

  test("of several merged ones, with the earliest time", async () => {
    const cwd = await useTree({
      "a/trivy.json": scanned("2026-11-01T00:00:00Z"),
      "b/trivy.json": scanned("2026-11-24T00:00:00Z"),
    });
    const { stdout } = await run(["detect", "--json", "--metric", "trivy.json=image_scan", "."], { cwd });
    const { files, scores } = JSON.parse(stdout);
    expect(files.map((file: object) => file)).toMatchObject([
      { file: "a/trivy.json", measured_at: "2026-11-01T00:00:00.000Z" },
      { file: "b/trivy.json", measured_at: "2026-11-24T00:00:00.000Z" },
    ]);
    expect(scores[0].report).toMatchObject({ measured_at: "2026-11-01T00:00:00.000Z", notes: ["scanned 23 days ago"] });
    expect((await run(["detect", "--metric", "trivy.json=image_scan", "."], { cwd })).stderr).toContain(
      "note: image_scan: scanned 23 days ago\n",
    );
  });
});

describe("gate --max-age", () => {
  const gate = (argv: readonly string[], options: CliOptions) => run(["gate", ...argv], options);

  test.each([
    ["7d", "2026-11-17T12:00:00Z", 0, "no report older than 7d: met"],
    ["7d", "2026-11-17T11:59:59Z", 1, "no report older than 7d, but standard input is 7 days old: not met"],
    ["12h", "2026-11-24T01:00:00Z", 0, "no report older than 12h: met"],
    ["12h", "2026-11-23T23:00:00Z", 1, "no report older than 12h, but standard input is 13 hours old: not met"],
  ])("%s, scanned at %s", async (age, time, code, line) => {
    const result = await gate(["--max-age", age, ...image, "-"], { stdin: scanned(time) });
    expect(result.code).toBe(code);
    expect(result.stdout.trimEnd().split("\n").at(-1)).toBe(line);
  });

  test("a report that states no time passes with a warning", async () => {
    const stdin = lcov("cart.ts", 1);
    const result = await gate(["--max-age", "7d", "--metric", "unit_coverage", "-"], { stdin });
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no report older than 7d: met\n"),
      stderr: "warning: --max-age cannot judge standard input: it does not state when the tool ran\n",
    });
  });

  test("names each file, also of the shards of one metric", async () => {
    const cwd = await useTree({
      "a.json": scanned("2026-11-10T00:00:00Z"),
      "b.json": scanned("2026-11-01T00:00:00Z"),
      "c.json": scanned("2026-11-24T00:00:00Z"),
      "d.json": scanned(),
    });
    const argv = ["--json", "--min", "50", "--max-age", "7d", "--metric", "*.json=image_scan", "."];
    const { code, stdout, stderr } = await gate(argv, { cwd });
    expect({ code, stderr, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      met: false,
      max_age_hours: 168,
      too_old: [
        { file: "b.json", measured_at: "2026-11-01T00:00:00.000Z" },
        { file: "a.json", measured_at: "2026-11-10T00:00:00.000Z" },
      ],
      undated: ["d.json"],
      scores: [{ metric: "image_scan", met: true }],
      stderr: expect.stringContaining("cannot judge d.json: it does"),
    });
    expect((await gate(argv.slice(1), { cwd })).stdout).toContain(
      "no report older than 7d, but b.json is 23 days old; too old as well: a.json: not met\n",
    );
  });

  test("judges the report of a problem too, and each file once", async () => {
    const cwd = await useTree({ "trivy.json": scanned("2026-11-01T00:00:00Z") });
    const problems = ["--problems", "trivy.json=image_vulnerability,vulnerabilities"];
    const argv = ["submit", "--dry-run", "--gate", "--max-age", "7d", "trivy.json"];
    for (const use of [problems, [...problems, "--metric", "trivy.json=image_scan"]]) {
      const { code, stdout } = await run([...argv, ...use], { cwd });
      expect(code).toBe(1);
      expect(stdout).toContain("no report older than 7d, but trivy.json is 23 days old: not met\n");
    }
  });

  test.each(["7", "d", "-1d", "soon", "0d", "7 d", "1h30m", "99999d"])("of %j is refused", async (age) => {
    expect(await gate([`--max-age=${age}`, ...image, "-"], { stdin: scanned() })).toMatchObject({
      code: 2,
      stderr: "maturity: --max-age must be hours or days, such as 12h or 7d\n",
    });
  });

  test("of submit needs --gate", async () => {
    expect(await run(["submit", "--dry-run", "--max-age", "7d", ...image, "-"], { stdin: scanned() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--max-age"),
    });
    const argv = ["submit", "--dry-run", "--gate", "--max-age", "7d", ...image, "-"];
    expect((await run(argv, { stdin: scanned("2026-11-01T00:00:00Z") })).code).toBe(1);
  });
});
