import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { application } from "../../application/src/index.ts";
import { reliability } from "../../reliability/src/index.ts";
import { security } from "../../security/src/index.ts";
import { type Directions, sizedEngine } from "../test/scorecards.ts";
import { createEngine, type Engine } from "./engine.ts";
import { bestOf, findReach, type InputChange, nearest } from "./reach.ts";

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
    ["a flag written as 1", "security.secret_scan", { found: 1 }, 1, [["found", false]]],
    [
      "a fraction of what is whole now",
      "application.unit_coverage",
      { coverage_pct: 62 },
      81,
      [["coverage_pct", 68.6]],
    ],
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
    const { alone, together } = reach(name, raw, minimum);
    expect(said(alone)).toEqual(expected);
    expect(together).toEqual([]);
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
  test.each<[string, Directions]>([
    ["the metric calls no value better", {}],
    ["the likely best is refused", { size: "lower" }],
  ])("%s", (_, better) => {
    const own = sizedEngine((size) => 600 / size, better, 10);
    expect(findReach(own, "own", "size", { size: 20 }, 50)).toEqual({
      alone: [],
      together: [],
      best: 30,
    });
  });
});

describe("the best value that is accepted", () => {
  const from = (least: number, most: number, isWhole: boolean) => (value: number) =>
    value >= least && value <= most && (!isWhole || Number.isInteger(value));
  const noEnd = Number.POSITIVE_INFINITY;

  test.each<[string, number, "lower" | "higher", (value: number) => boolean, number]>([
    ["none of it", 7, "lower", from(0, noEnd, false), 0],
    ["what it is, where none is refused", 7, "lower", from(5, noEnd, false), 7],
    ["what it is, where it is below 0", -7, "lower", from(-50, 50, false), -7],
    ["all of a share", 0.3, "higher", from(0, 1, false), 1],
    ["what it is, of a whole share", 1, "higher", from(0, 1, false), 1],
    ["all of a percentage", 0.3, "higher", from(0, 100, false), 100],
    ["what it is, of 100 %", 100, "higher", from(0, 100, false), 100],
    ["100 of what is whole", 0, "higher", from(0, 100, true), 100],
    ["1 of what is 0 or 1", 0, "higher", from(0, 1, true), 1],
    ["1 of what can be a little more", 0.9, "higher", from(0, 1.5, false), 1],
    ["of what has another bound, the last of what is twice as much", 3, "higher", from(0, 50, true), 48],
    ["of what is already above 1 %", 150, "higher", from(0, 1_000, false), 600],
    ["of what begins below 0", -3, "higher", from(-10, 12, false), 8],
    ["of what has no bound, what forty doublings make of 100", 0, "higher", from(0, noEnd, true), 100 * 2 ** 40],
    ["or of what it is", 5 ** 18, "higher", from(0, noEnd, true), 5 ** 18 * 2 ** 40],
    ["a number of so many as there are", 1e308, "higher", from(0, noEnd, false), 1e308],
  ])("is %s: %d, %s", (_, value, direction, accepts, best) => {
    expect(bestOf(value, direction, accepts)).toBe(best);
  });
});

describe("the nearest value that is enough", () => {
  test.each<[string, number, number, boolean, number, number]>([
    ["a whole one below", 1_000, 0, true, 333.5, 333],
    ["a whole one above", 0, 1_000, true, 333.5, 334],
    ["one of two decimals, of a way of 1", 1, 0, false, 0.123_45, 0.12],
    ["one of a long way", 90_000, 0, false, 1_234.5, 1_234],
    ["the best, to its last digit", 0.333_333, 0.666_666, false, 0.666_666, 0.666_666],
    ["the one beside where it is", 10, 0, true, 9, 9],
  ])("is %s", (_, from, best, isWhole, bound, expected) => {
    const enough = (value: number) => (best < from ? value <= bound : value >= bound);
    expect(nearest(from, best, isWhole, enough)).toBe(expected);
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
