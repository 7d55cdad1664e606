import fc from "fast-check";
import { expect, test } from "vitest";
import { gainOf, scorecardWith } from "../test/scorecards.ts";
import { anyCase } from "../test/searched.ts";
import { createEngine, type Engine } from "./engine.ts";
import { defineMetric, lowestOf, piecewise } from "./index.ts";

const at = new Date("2026-01-31T12:00:00Z");

test("whatever curves a metric has, a step is the first of the values in turn that raises its score noticeably", () => {
  fc.assert(
    fc.property(anyCase, ({ engine, raw, inputs }) => {
      const scoreOf = (values: object) => engine.score("own", "size", { ...raw, ...values }).score;
      const score = scoreOf({});
      fc.pre(score < 100);
      const [gain] = gainOf(engine, [{ raw, reported_at: at, score }], at).metrics;
      const expected = Object.entries(inputs).flatMap(([field, { value, better, isCount, bends }]) => {
        const inTurn = isCount
          ? Array.from({ length: value }, (_, index) => value - 1 - index)
          : bends
              .filter((bend) => (better === "lower" ? bend < value : bend > value))
              .sort((a, b) => Math.abs(a - value) - Math.abs(b - value));
        const to = inTurn.find((one) => scoreOf({ [field]: one }) >= Math.min(100, score + 0.5));
        return to === undefined ? [] : [{ field, from: value, to, score: scoreOf({ [field]: to }) }];
      });
      expect(gain?.steps).toHaveLength(expected.length);
      expect(gain?.steps).toMatchObject(expect.arrayContaining(expected.map((step) => expect.objectContaining(step))));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [5, 4.5],
  [15, 9.5],
])("a curve beside a function of the author that reads the same field: from %d the step is to %j", (x, to) => {
  const metric = defineMetric({
    ...{ name: "size", title: "Size", inputs: { x: { better: "lower", min: 0 } } },
    score: lowestOf(
      piecewise("x", [
        [10, 100],
        [20, 0],
      ]),
      ({ x }) => ({ score: Math.max(0, 100 - 10 * x), reasons: [{ field: "x", value: x, text: "it is so" }] }),
    ),
  });
  const engine = createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine;
  const { score } = engine.score("own", "size", { x });
  const [gain] = gainOf(engine, [{ raw: { x }, reported_at: at, score }], at).metrics;
  expect(gain?.steps[0]?.to).toBe(to);
});
