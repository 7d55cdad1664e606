import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { application } from "../../application/src/index.ts";
import { reliability } from "../../reliability/src/index.ts";
import { security } from "../../security/src/index.ts";
import { gainOf, metricWith, scorecardWith, sizedEngine } from "../test/scorecards.ts";
import { createEngine, type Engine } from "./engine.ts";
import { eachGain, type ScoredRaw } from "./gain.ts";
import { rollUpInOrder } from "./roll-up.ts";

const at = new Date("2026-01-31T12:00:00Z");
const shipped: Engine = createEngine([security, reliability, application]);
const names = shipped.scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));

/** The scores of one application that reported these raws. */
function reported(raws: Readonly<Record<string, ScoredRaw["raw"]>>, engine = shipped): (ScoredRaw | undefined)[] {
  return engine.scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => {
      const raw = raws[`${name}.${metric.name}`];
      return raw && { raw, reported_at: at, score: engine.score(name, metric.name, raw).score };
    }),
  );
}

function stepsOf(name: string, raw: ScoredRaw["raw"]) {
  const [{ steps } = { steps: [] }] = gainOf(shipped, reported({ [name]: raw }), at).metrics;
  return steps.map(({ field, from, to }) => [field, from, to]);
}

test("inputs of which none raises the score alone have a step together, as far as 50 needs it", () => {
  const gain = (raw: ScoredRaw["raw"]) =>
    gainOf(shipped, reported({ "security.image_scan": raw, "security.secret_scan": { found: false } }), at).metrics[0];
  const raw = { critical: 28, high: 100, medium: 200 };
  expect(gain(raw)).toMatchObject({
    steps: [],
    together: {
      inputs: [
        { field: "critical", from: 28, to: 1 },
        { field: "high", from: 100, to: 0 },
        { field: "medium", from: 200, to: 0 },
      ],
      score: 50,
      appGain: 25,
    },
  });
  expect(gain({ critical: 28, high: 0, medium: 0 })).not.toHaveProperty("together");
  expect(shipped.score("security", "image_scan", { critical: 1, high: 0, medium: 0 }).score).toBe(50);
});

describe("the next value of an input", () => {
  test.each<[string, string, ScoredRaw["raw"], [string, unknown, unknown][]]>([
    ["one finding fewer", "security.image_scan", { critical: 0, high: 9, medium: 0 }, [["high", 9, 8]]],
    [
      "one finding fewer of each severity, the one that gains most first",
      "security.sast",
      { critical: 1, high: 2, medium: 5 },
      [
        ["critical", 1, 0],
        ["high", 2, 1],
        ["medium", 5, 4],
      ],
    ],
    [
      "so many fewer that a whole number shows it",
      "security.image_scan",
      { critical: 0, high: 0, medium: 400 },
      [["medium", 400, 295]],
    ],
    ["the next corner of a curve", "application.unit_coverage", { coverage_pct: 41 }, [["coverage_pct", 41, 50]]],
    ["the last corner", "application.unit_coverage", { coverage_pct: 50 }, [["coverage_pct", 50, 80]]],
    [
      "not a corner that changes nothing",
      "reliability.sla",
      { availability_pct: 99.499 },
      [["availability_pct", 99.499, 99.9]],
    ],
    ["a corner below", "reliability.mttr", { minutes: 3_000 }, [["minutes", 3_000, 1_440]]],
    [
      "only the input that holds the score back",
      "application.stress_test",
      { error_rate: 0.05, p95_ms: 600, checks_pct: 99 },
      [["error_rate", 0.05, 0.01]],
    ],
    [
      "none where two inputs hold it back alike",
      "application.stress_test",
      { error_rate: 1, p95_ms: 9_000, checks_pct: 100 },
      [],
    ],
    ["a flag", "security.secret_scan", { found: true }, [["found", true, false]]],
    ["a flag written as a number", "application.libs_secrets", { enabled: 0 }, [["enabled", 0, true]]],
    ["a flag written as 1", "security.secret_scan", { found: 1 }, [["found", 1, false]]],
  ])("is %s", (_, name, raw, expected) => {
    expect(stepsOf(name, raw)).toEqual(expected);
  });
});

describe("a scorer of one's own", () => {
  const firstGain = (engine: Engine, size: number) =>
    gainOf(engine, reported({ "own.size": { size } }, engine), at).metrics[0];

  test("the nearest value that raises the score by five points", () => {
    expect(
      firstGain(
        sizedEngine((size) => 100 - size),
        40,
      )?.steps,
    ).toEqual([{ field: "size", from: 40, to: 35, score: 65, appGain: 5 }]);
  });

  test("the best value where five points cannot be reached", () => {
    expect(
      firstGain(
        sizedEngine((size) => Math.max(0, 62 - size)),
        2,
      )?.steps,
    ).toEqual([{ field: "size", from: 2, to: 0, score: 62, appGain: 2 }]);
  });

  test("no step where nothing raises the score, or nobody says which values are better", () => {
    expect(
      firstGain(
        sizedEngine(() => 60),
        2,
      ),
    ).toMatchObject({ appGain: 40, steps: [] });
    expect(
      firstGain(
        sizedEngine((size) => 100 - size, {}),
        40,
      ),
    ).toMatchObject({ appGain: 40, steps: [] });
  });

  test("a score by older rules: the step says what the rules of today give", () => {
    const engine = sizedEngine((size) => 100 - size);
    const old = { raw: { size: 40 }, reported_at: at, score: 80 };
    expect(gainOf(engine, [old], at).metrics[0]).toMatchObject({
      appGain: 20,
      steps: [{ to: 15, score: 85, appGain: 5 }],
    });
  });

  test("values that the rules of today refuse have a gain and no steps", () => {
    const old = { raw: { size: -1 }, reported_at: at, score: 80 };
    expect(
      gainOf(
        sizedEngine((size) => 100 - size),
        [old],
        at,
      ).metrics[0],
    ).toMatchObject({ appGain: 20, steps: [] });
  });
});

test("fields that are no inputs change no step, however many there are", () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, index]));
  const raw = { critical: 0, high: 9, medium: 400 };
  expect(stepsOf("security.image_scan", { ...raw, ...many })).toEqual(stepsOf("security.image_scan", raw));
  const togetherOf = (raw: ScoredRaw["raw"]) =>
    gainOf(shipped, reported({ "security.image_scan": raw }), at).metrics[0]?.together;
  const bad = { critical: 28, high: 100, medium: 200 };
  expect(togetherOf({ ...bad, ...many })).toEqual(togetherOf(bad));
  expect(togetherOf(bad)).toBeDefined();
});

test("many fields of which one counts, though it is named nowhere: the step says what the scorer gives", () => {
  const score = ({ size = 0, factor = 1 }: { readonly size?: number; readonly factor?: number }) => ({
    score: 100 - size * (size < 40 ? factor : 1),
    reasons: [{ field: "size", value: size, text: "size" }],
  });
  const metrics = [metricWith({ name: "size", score, better: { size: "lower" } })];
  const engine: Engine = createEngine([scorecardWith({ name: "own", metrics })]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${index}`, index]));
  const own = reported({ "own.size": { size: 40, factor: 0.5, ...many } }, engine);
  const [step] = gainOf(engine, own, at).metrics[0]?.steps ?? [];
  expect(step).toMatchObject({ field: "size", from: 40, score: 100 - Number(step?.to) / 2 });
});

test("a large result is scored as a whole for its joint step only before and after the trials", () => {
  let wholes = 0;
  const score = ({ one, two, field_0 }: Readonly<Record<string, number>>) => {
    if (field_0 !== undefined) wholes++;
    return { score: one === 0 && two === 0 ? 80 : 10, reasons: [{ field: "one", value: one ?? 0, text: "one" }] };
  };
  const metrics = [metricWith({ name: "both", score, better: { one: "lower", two: "lower" } })];
  const engine: Engine = createEngine([scorecardWith({ name: "own", metrics })]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${index}`, index]));
  const own = reported({ "own.both": { one: 900, two: 900, ...many } }, engine);
  expect(gainOf(engine, own, at).metrics[0]?.together).toMatchObject({ score: 80 });
  expect(wholes).toBeLessThan(10);
});

const raws: Record<string, fc.Arbitrary<ScoredRaw["raw"]>> = {
  "security.image_scan": counts("critical", "high", "medium"),
  "security.sast": counts("critical", "high", "medium"),
  "security.dast": counts("high", "medium"),
  "security.secret_scan": fc.record({ found: fc.boolean() }),
  "reliability.mttr": fc.record({ minutes: fc.integer({ min: 0, max: 300_000 }) }),
  "reliability.sla": fc.record({ availability_pct: fc.double({ min: 90, max: 100, noNaN: true }) }),
  "application.unit_coverage": fc.record({ coverage_pct: fc.double({ min: 0, max: 100, noNaN: true }) }),
  "application.libs_secrets": fc.record({ enabled: fc.boolean() }),
};

function counts(...fields: string[]): fc.Arbitrary<Record<string, number>> {
  return fc.record(Object.fromEntries(fields.map((field) => [field, fc.nat({ max: 30 })])));
}

const app = fc.record(raws, { requiredKeys: [] }).map((given) => reported(given as Record<string, ScoredRaw["raw"]>));

test("no count nearer than the step raises the score noticeably", () => {
  fc.assert(
    fc.property(app, (scores) => {
      const now = rollUpInOrder(shipped.scorecards, scores, at)?.score ?? 0;
      for (const { scorecard, metric, steps } of gainOf(shipped, scores, at).metrics) {
        const index = names.indexOf(`${scorecard}.${metric}`);
        const own = scores[index];
        if (!own || !/_scan|sast|dast/.test(metric)) continue;
        const scoreWith = (field: string, value: unknown) =>
          shipped.score(scorecard, metric, { ...own.raw, [field]: value }).score;
        for (const [field, from] of Object.entries(own.raw)) {
          if (typeof from !== "number") continue;
          const nearer = Array.from({ length: from }, (_, index) => from - 1 - index);
          const to = nearer.find((value) => scoreWith(field, value) >= Math.min(100, own.score + 0.5));
          const step = steps.find((one) => one.field === field);
          expect(step?.to).toBe(to);
          if (step === undefined || to === undefined) continue;
          const score = scoreWith(field, to);
          expect(step.score).toBe(score);
          const changed =
            rollUpInOrder(shipped.scorecards, scores.with(index, { ...own, score }), at)?.score ?? Number.NaN;
          expect(step.appGain).toBeCloseTo(changed - now, 9);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test("a metric that is waived neither gains nor is missing, and the others gain by what is left", () => {
  const raws = { "security.secret_scan": { found: true }, "security.sast": { critical: 1, high: 0, medium: 0 } };
  const scores = reported(raws);
  const waivedIndexes = ["security.secret_scan", "reliability.mttr"].map((name) => names.indexOf(name));
  const waived = names.map((_, index) => (waivedIndexes.includes(index) ? {} : undefined));
  const { metrics, missing } = gainOf(shipped, scores, at, waived);
  expect(metrics).toMatchObject([{ metric: "sast", appGain: 50, scorecardGain: 50 }]);
  expect(missing.map(({ metric }) => metric)).not.toContain("mttr");
  expect(metrics.length + missing.length).toBe(names.length - 2);
});

test("metric by metric it finds the same, in the order of the scorecards", () => {
  const scores = reported({
    "security.image_scan": { critical: 1, high: 0, medium: 0 },
    "reliability.mttr": { minutes: 9_000 },
  });
  const found = [...eachGain(shipped, scores, at)];
  expect(found.map(({ scorecard, metric }) => `${scorecard}.${metric}`)).toEqual(names);
  expect(gainOf(shipped, scores, at).metrics).toEqual(expect.arrayContaining(found.filter((one) => "steps" in one)));
});

test("nothing reported: everything is missing", () => {
  const { metrics, missing } = gainOf(
    shipped,
    names.map(() => undefined),
    at,
  );
  expect(metrics).toEqual([]);
  expect(missing).toHaveLength(names.length);
  expect(missing.reduce((sum, { reported }) => sum + reported, 0)).toBeCloseTo(1, 9);
});
