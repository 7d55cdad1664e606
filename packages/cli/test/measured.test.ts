import { describe, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";
import { lcov } from "./support/sample-reports.ts";

const service = listeningService();

const day = 86_400_000;
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - days * day).toISOString();
/** The report of an image that was scanned at this time. */
const scanned = (CreatedAt: string, found: readonly string[] = []) =>
  JSON.stringify({
    SchemaVersion: 2,
    CreatedAt,
    ArtifactName: "cart:1.2.3",
    ArtifactType: "container_image",
    Results: [
      {
        Target: "cart:1.2.3 (alpine 3.20)",
        Class: "os-pkgs",
        Type: "alpine",
        Vulnerabilities: found.map((Severity, index) => ({
          VulnerabilityID: `CVE-2026-${index}`,
          PkgName: "musl",
          InstalledVersion: "1",
          Severity,
        })),
      },
    ],
  });
const stored = async (app: string) => (await service.rows("scores")).find((row) => row.app === app);
const named = (app: string) => ({ env: { MATURITY_APP: app } });

describe("submit sends when a report was measured", () => {
  const submit = ["submit", "--metric", "image_scan", "trivy.json"];

  test("as the report states it; an older one goes into the history", async () => {
    const [now, before] = [daysAgo(2), daysAgo(20)];
    expect(await service.maturity(submit, { "trivy.json": scanned(now) }, named("dated"))).toMatchObject({ code: 0 });
    const late = await service.maturity(submit, { "trivy.json": scanned(before, ["CRITICAL"]) }, named("dated"));
    expect(late).toMatchObject({ code: 0 });
    expect(late.stderr).toContain("note: image_scan: a later result is stored; this one is in the history\n");
    expect(await stored("dated")).toMatchObject({ measured_at: new Date(now), score: "100.00" });
  });

  test.each([[["gate"]], [["submit", "--gate"]]])(
    "%j --app-min leaves out one that is older than the stored one, and says so",
    async (command) => {
      const app = `late-${command.length}`;
      const argv = (json: boolean) => [...command, ...(json ? ["--json"] : []), "--app-min", "80", ...submit.slice(1)];
      const files = { "trivy.json": scanned(daysAgo(20)) };
      await service.maturity(submit, { "trivy.json": scanned(daysAgo(2), ["CRITICAL"]) }, named(app));
      expect(await service.maturity(argv(false), files, named(app))).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`
  a later result is stored, so this one changes no score
the application scores 50.0, and 50.0 with this too
application at least 80: not met
`),
      });
      const {
        scores,
        gate,
        app: { score_with } = gate.app,
      } = JSON.parse((await service.maturity(argv(true), files, named(app))).stdout);
      expect({ scores, score_with }).toMatchObject({ scores: [{ score: 100, later_stored: true }], score_with: 50 });
      expect(await service.maturity(argv(false), { "trivy.json": scanned(daysAgo(1)) }, named(app))).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("\nthe application scores 50.0, and 100.0 with this\n"),
      });
    },
  );

  test("--gate counts the time of --measured-at too", async () => {
    const values = ["-m", "sla", "-r", "availability_pct=100"];
    await service.maturity(["submit", "-m", "sla", "-r", "availability_pct=99"], {}, named("past"));
    const argv = ["submit", "--gate", "--app-min", "80", ...values, "--measured-at", daysAgo(3)];
    const { code, stderr } = await service.maturity(argv, {}, named("past"));
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("this one is in the history") });
  });

  test("--measured-at is of what states no time, and of nothing else", async () => {
    const [given, own] = [daysAgo(3), daysAgo(5)];
    const files = { "trivy.json": scanned(own), "lcov.info": lcov("cart.ts", 1) };
    const argv = ["submit", "--measured-at", given, "--metric", "lcov.info=unit_coverage", "."];
    expect(await service.maturity(argv, files, named("given"))).toMatchObject({ code: 0 });
    const rows = (await service.rows("scores")).filter(({ app }) => app === "given");
    expect(Object.fromEntries(rows.map(({ metric, measured_at }) => [metric, measured_at]))).toEqual({
      image_scan: new Date(own),
      unit_coverage: new Date(given),
    });
  });

  test.each([
    ["yesterday", "must be a time with its zone, such as 2026-03-01T08:00:00Z, and not yesterday"],
    ["2026-03-01T08:00:00", "must be a time with its zone, such as 2026-03-01T08:00:00Z, and not 2026-03-01T08:00:00"],
    [
      "2026-02-30T08:00:00Z",
      "must be a time with its zone, such as 2026-03-01T08:00:00Z, and not 2026-02-30T08:00:00Z",
    ],
    ["1970-01-01T00:00:00Z", "must not be before 2000: 1970-01-01T00:00:00Z"],
    ["2999-01-01T00:00:00Z", "must not be in the future: 2999-01-01T00:00:00Z"],
  ])("--measured-at %s is refused", async (time, reason) => {
    for (const argv of [submit, ["problem", "report", "--type", "image_secret", "--count", "0"]]) {
      const result = await service.maturity([...argv, "--measured-at", time], { "trivy.json": scanned(daysAgo(1)) });
      expect(result).toMatchObject({ code: 2, stderr: `maturity: --measured-at ${reason}\n` });
    }
  });

  test("a report that is older than the history is refused by its name and time", async () => {
    const old = daysAgo(500);
    const { code, stderr } = await service.maturity(submit, { "trivy.json": scanned(old) }, named("old"));
    expect(code).toBe(3);
    expect(stderr).toContain(
      `measured_at must be within the days of the history, by the database's clock; trivy.json is of ${old}`,
    );
    const problem = [
      "--problems",
      "trivy.json=image_vulnerability,vulnerabilities",
      "--metric",
      "trivy.json=image_scan",
    ];
    const several = { "trivy.json": scanned(old), "lcov.info": lcov("cart.ts", 1) };
    const argv = ["submit", "--metric", "lcov.info=unit_coverage", ...problem, "."];
    expect((await service.maturity(argv, several, named("old"))).stderr).toContain(`; trivy.json is of ${old}`);
    expect(await stored("old")).toBeUndefined();
  });
});

test("a clean scan that is older than the finding resolves nothing, and says so", async () => {
  const argv = ["problem", "report", "--type", "image_vulnerability", "--vulnerabilities", "trivy.json"];
  const report = (time: string, found?: readonly string[]) =>
    service.maturity(argv, { "trivy.json": scanned(time, found) }, named("finding"));
  expect(await report(daysAgo(2), ["HIGH"])).toMatchObject({ code: 0 });
  const clean = await report(daysAgo(4));
  expect(clean).toMatchObject({ code: 0 });
  expect(clean.stdout).toContain("a later scan is stored, so this one changes nothing\n");
  expect((await service.rows("problems")).filter(({ app }) => app === "finding")).toMatchObject([{ count: 1 }]);
  expect((await report(daysAgo(500))).stderr).toContain("; trivy.json is of ");
});
