import { createEngine } from "@maturity/core";
import { security } from "@maturity/security";
import { describe, expect, test } from "vitest";
import { expectAccepted } from "../test/support/accepted.ts";
import { mergeReadings, type ReadOptions, readReport } from "./index.ts";
import { halves } from "./kinds.ts";

/** Findings of which the tool says no severity would lower no score. */

const pipAudit = (...ids: readonly string[]) =>
  JSON.stringify({ dependencies: [{ name: "flask", version: "0.5", vulns: ids.map((id) => ({ id })) }], fixes: [] });
const nuclei = (...severities: readonly string[]) =>
  severities
    .map((severity, at) => `${JSON.stringify({ "template-id": "a", "matched-at": at, info: { severity } })}\n`)
    .join("");
const score = { for: "score", metric: "sast" } as const;

describe("a report of which no finding has a severity", () => {
  test.each<[string, string, ReadOptions, string]>([
    [
      "by several findings",
      pipAudit("PYSEC-1", "PYSEC-2"),
      score,
      "this looks like pip-audit JSON, but all 2 findings have no severity, so that no score can be made of them",
    ],
    ["by one", pipAudit("PYSEC-1"), score, "the only finding has no severity, so that no score can be made of it"],
    ["by the metric of its format", nuclei("odd"), { for: "score" }, "the only finding has no severity"],
  ])("gives no score: %s", (_, report, options, message) => {
    expect(() => readReport(report, options)).toThrow(
      expect.objectContaining({
        code: "no-severity",
        message: expect.stringContaining(message),
        waysOut: [{ assumeSeverity: "high" }],
      }),
    );
  });

  test("can be counted all the same", () => {
    expect(readReport(pipAudit("PYSEC-1"), { metric: "sast" })).toMatchObject({
      metrics: { sast: { high: 0, unknown: 1 } },
      severities: { high: 0, unknown: 1 },
    });
  });

  test("is scored by the severity that the caller gives", () => {
    const reading = readReport(pipAudit("PYSEC-1", "PYSEC-2"), { ...score, assumeSeverity: "high" });
    expect(reading).toMatchObject({
      metrics: { sast: { critical: 0, high: 2, unknown: 0, assumed_severities: 2 } },
      severities: { high: 0, unknown: 2 },
      assumed: { severity: "high" },
      notes: ["2 of unknown severity, counted as high on the caller's word"],
    });
    expectAccepted(reading);
  });
});

describe("a report of which some findings have no severity", () => {
  const of = (severity: string, count: number) => Array.from({ length: count }, () => severity);

  test.each<[string, readonly string[], string]>([
    ["more than a tenth", [...of("high", 8), "odd"], "1 of 9 findings has no severity"],
    ["a tenth and one", [...of("high", 17), ...of("odd", 2)], "2 of 19 findings have no severity"],
    ["half", ["high", "odd"], "1 of 2 findings has no severity, so that no score can be made of the others"],
    ["few, and the others are harmless", [...of("low", 99), "odd"], "1 of 100 findings has no severity"],
    ["few, and the others score 91.7", ["medium", ...of("info", 99), "odd"], "1 of 101 findings has no severity"],
  ])("gives no score: %s", (_, severities, message) => {
    expect(() => readReport(nuclei(...severities), { for: "score" })).toThrow(
      expect.objectContaining({
        code: "no-severity",
        message: expect.stringContaining(message),
        waysOut: [{ assumeSeverity: "high" }],
      }),
    );
    expect(readReport(nuclei(...severities), { for: "score", assumeSeverity: "low" }).metrics.dast).toBeDefined();
  });

  test.each<[string, readonly string[]]>([
    ["a tenth, and the others score below 90", [...of("high", 9), "odd"]],
    ["few, and the others score 84.1", [...of("medium", 2), ...of("info", 97), "odd"]],
  ])("gives a score, and a note: %s", (_, severities) => {
    expect(readReport(nuclei(...severities), { for: "score" })).toMatchObject({
      metrics: { dast: { unknown: 1 } },
      notes: ["1 of unknown severity, not scored (--assume-severity counts them)"],
    });
  });

  test("the score of the others is that of the scorecard", () => {
    const engine = createEngine([security]);
    for (const metric of ["image_scan", "sast", "dast"] as const) {
      for (const [severity, count] of Object.entries(halves[metric])) {
        if (metric === "dast" && severity === "critical") continue;
        const raw = { critical: 0, high: 0, medium: 0, [severity]: 2 * count };
        expect(engine.score("security", metric, raw).score, `${metric}: ${severity}`).toBeCloseTo(25, 10);
      }
    }
  });
});

test("where some have a severity, the others alone are given one", () => {
  expect(readReport(nuclei("low", "odd"), { for: "score", assumeSeverity: "critical" })).toMatchObject({
    metrics: { dast: { high: 1, low: 1, unknown: 0, assumed_severities: 1 } },
    assumed: { severity: "critical" },
    notes: [
      "1 critical, counted as high: dast has no critical",
      "1 of unknown severity, counted as critical on the caller's word",
    ],
  });
});

test("nothing is assumed where nothing is unknown", () => {
  const reading = readReport(nuclei("high"), { for: "score", assumeSeverity: "low" });
  expect(reading).toEqual(readReport(nuclei("high"), { for: "score" }));
  expect(readReport(pipAudit(), { ...score, assumeSeverity: "low" })).toEqual(readReport(pipAudit(), score));
});

test("the caller's word for a severity is none for a scan", () => {
  expect(() => readReport('{"results":[],"errors":[]}', { ...score, assumeSeverity: "low" })).toThrow(
    expect.objectContaining({ code: "nothing-measured" }),
  );
});

test("merged, the findings keep the severity they were given", () => {
  const parts = [pipAudit("PYSEC-1"), pipAudit("PYSEC-2", "PYSEC-3"), pipAudit()];
  const merged = mergeReadings(parts.map((part) => readReport(part, { ...score, assumeSeverity: "medium" })));
  expect(merged).toMatchObject({
    metrics: { sast: { medium: 3, unknown: 0, assumed_severities: 3 } },
    assumed: { severity: "medium" },
  });
});

test("they are not merged where each was given another one", () => {
  const parts = (["low", "high"] as const).map((assumeSeverity) =>
    readReport(pipAudit("PYSEC-1"), { ...score, assumeSeverity }),
  );
  expect(() => mergeReadings(parts)).toThrow(expect.objectContaining({ code: "not-mergeable" }));
});
