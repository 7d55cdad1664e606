import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";

/** What a tool could not do is more than a note: the values may lack something. */

const dependencyCheck = {
  reportSchema: "1.1",
  scanInfo: {
    engineVersion: "12.1.1",
    analysisExceptions: [
      { exception: { message: "x", stackTrace: ["a.NodeAuditAnalyzer.analyze(NodeAuditAnalyzer.java:1)"] } },
    ],
  },
  dependencies: [{ fileName: "a.jar", suppressedVulnerabilities: [{}] }],
};
const artillery = {
  aggregate: {
    counters: { "http.requests": 8, "http.responses": 8, "http.codes.200": 8, 'errors.Undefined function "buy"': 500 },
    summaries: { "http.response_time": { p95: 240.5 } },
  },
  intermediate: [],
};
const failed = "NodeAuditAnalyzer failed, so what it looks for may be missing";
const broken = "500 errors of the script are not counted: a part of the test did not run";

describe.each<[string, object, string]>([
  ["sast", dependencyCheck, failed],
  ["stress_test", artillery, broken],
])("%s", (metric, report, warning) => {
  test.each<[string, string[], string]>([
    ["submit", ["--dry-run", "--metric", metric, "report.json"], ""],
    ["gate", ["--min", "1", "--metric", metric, "report.json"], ""],
    ["submit", ["--dry-run", "--metric", `report.json=${metric}`, "."], `${metric}: `],
    ["detect", ["--metric", metric, "report.json"], `${metric}: `],
  ])("%s %j", async (command, argv, about) => {
    const cwd = await useDirectory();
    await writeFile(join(cwd, "report.json"), JSON.stringify(report));
    const { code, stderr } = await maturity([command, ...argv], { cwd });
    expect(code).toBe(0);
    expect(stderr.split("\n")[0]).toBe(`warning: ${about}${warning}`);
    expect(stderr).toMatch(/^note: /m);
    const asJson = await maturity([command, "--json", ...argv], { cwd });
    expect(JSON.parse(asJson.stdout).scores).toMatchObject([{ report: { warnings: [warning] } }]);
  });
});
