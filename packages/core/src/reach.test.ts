import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { application } from "../../application/src/index.ts";
import { reliability } from "../../reliability/src/index.ts";
import { security } from "../../security/src/index.ts";
import { sizedEngine } from "../test/scorecards.ts";
import { createEngine, type Engine } from "./engine.ts";
import { findReach, type InputChange } from "./reach.ts";
import type { AnyMetric } from "./scorecard.ts";

const engine: Engine = createEngine([security, reliability, application]);
const reach = (name: string, raw: Record<string, unknown>, minimum: number) => {
  const [scorecard = "", metric = ""] = name.split(".");
  return findReach(engine, scorecard, metric, raw, minimum);
};
const said = (changes: readonly InputChange[]) => changes.map(({ field, to }) => [field, to]);

describe("one value is enough", () => {
  test.each<[string, string, Record<string, unknown>, number, [string, unknown][]]>([
    ["more coverage", "application.unit_coverage", { coverage_pct: 64.2 }, 80, [["coverage_pct", 68]]],
    ["full marks", "application.unit_coverage", { coverage_pct: 64.2 }, 100, [["coverage_pct", 80]]],
    ["almost nothing covered", "application.unit_coverage", { coverage_pct: 0.5 }, 50, [["coverage_pct", 50]]],
    ["nothing covered", "application.integration_coverage", { coverage_pct: 0 }, 65, [["coverage_pct", 30]]],
    ["fewer findings", "security.image_scan", { critical: 0, high: 9, medium: 0 }, 80, [["high", 1]]],
    [
      "any of two",
      "security.sast",
      { critical: 1, high: 0, medium: 20 },
      50,
      [
        ["critical", 0],
        ["medium", 0],
      ],
    ],
    ["no secret", "security.secret_scan", { found: true }, 1, [["found", false]]],
    ["a flag written as a number", "application.libs_secrets", { enabled: 0 }, 100, [["enabled", true]]],
    ["a faster recovery", "reliability.mttr", { minutes: 3_000 }, 80, [["minutes", 1440]]],
    ["better availability", "reliability.sla", { availability_pct: 99.2 }, 75, [["availability_pct", 99.5]]],
    [
      "fewer failures",
      "application.stress_test",
      { error_rate: 0.05, p95_ms: 100, checks_pct: 100 },
      90,
      [["error_rate", 0.019]],
    ],
  ])("%s", (_, name, raw, minimum, expected) => {
    expect(said(reach(name, raw, minimum).alone)).toEqual(expected);
  });
});

describe("several values are needed", () => {
  test.each<[string, string, Record<string, unknown>, number, [string, unknown][]]>([
    [
      "each of a load test, and no more than that",
      "application.stress_test",
      { error_rate: 0.05, p95_ms: 900, checks_pct: 85 },
      80,
      [
        ["checks_pct", 96],
        ["error_rate", 0.028],
        ["p95_ms", 800],
      ],
    ],
    [
      "the gravest findings, and some of the others",
      "security.image_scan",
      { critical: 2, high: 9, medium: 3 },
      80,
      [
        ["critical", 0],
        ["high", 1],
      ],
    ],
    [
      "all but what is good enough",
      "application.stress_test",
      { error_rate: 0.5, p95_ms: 700, checks_pct: 40 },
      80,
      [
        ["error_rate", 0.028],
        ["checks_pct", 96],
      ],
    ],
  ])("%s", (_, name, raw, minimum, expected) => {
    const { alone, together } = reach(name, raw, minimum);
    expect(alone).toEqual([]);
    expect(said(together)).toEqual(expected);
  });
});

describe("nothing is enough, or nobody knows", () => {
  test.each<[string, AnyMetric["better"]]>([
    ["the metric calls no value better", {}],
    ["the likely best is refused", { size: "lower" } as AnyMetric["better"]],
  ])("%s", (_, better) => {
    const own = sizedEngine((size) => 600 / size, better, 10);
    expect(findReach(own, "own", "size", { size: 20 }, 50)).toEqual({
      alone: [],
      together: [],
      best: 30,
    });
  });
});

test("where the score is enough already, nothing has to change", () => {
  expect(reach("application.unit_coverage", { coverage_pct: 70 }, 80)).toEqual({ alone: [], together: [], best: 100 });
});

test.each([
  ["cost.budget", {}, "unknown-scorecard"],
  ["security.budget", {}, "unknown-metric"],
  ["reliability.mttr", { minutes: "3" }, "invalid-raw"],
])("what cannot be scored is refused: %s %j", (name, raw, code) => {
  expect(() => reach(name, raw, 80)).toThrow(expect.objectContaining({ code }));
});

test("what it says is enough is enough, and the next worse value is not", () => {
  const counts = fc.record({ critical: fc.nat(4), high: fc.nat(40), medium: fc.nat(200) });
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 100 }), (raw, minimum) => {
      const score = (values: object) => engine.score("security", "image_scan", values).score;
      fc.pre(score(raw) < minimum);
      const { alone, together, best } = reach("security.image_scan", raw, minimum);
      expect(best).toBe(100);
      for (const changes of alone.length > 0 ? alone.map((change) => [change]) : [together]) {
        const changed = { ...raw, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) };
        expect(score(changed)).toBeGreaterThanOrEqual(minimum);
        for (const { field, from, to } of changes) {
          if (Number(to) + 1 >= Number(from)) continue;
          expect(score({ ...changed, [field]: Number(to) + 1 })).toBeLessThan(minimum);
        }
      }
    }),
  );
});
