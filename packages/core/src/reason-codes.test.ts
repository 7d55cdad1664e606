import { expect, test } from "vitest";
import { halving, logPiecewise, lowestOf, type Outcome, type Point, passFail, piecewise } from "./index.ts";

const hill: readonly Point[] = [
  [1, 0],
  [50, 100],
  [80, 40],
  [90, 40],
];
const at = (n: number): Outcome => piecewise("n", hill)({ n });
const slope = { from: 1, from_score: 0, to: 50, to_score: 100 };

test.each<[string, Outcome, readonly object[]]>([
  ["up", at(25.5), [{ code: "rises", values: { score: 50, ...slope } }]],
  ["down", at(65), [{ code: "falls", values: { score: 70, from: 50, from_score: 100, to: 80, to_score: 40 } }]],
  ["level", at(85), [{ code: "stays", values: { score: 40, from: 80, from_score: 40, to: 90, to_score: 40 } }]],
  ["below a low end", at(0), [{ code: "rises", values: { score: 0, ...slope } }]],
  [
    "beyond a good end",
    piecewise("n", [
      [0, 0],
      [5, 100],
    ])({ n: 6 }),
    [{ code: "enough", values: { score: 100, bound: 5, side: "more" } }],
  ],
  [
    "before a good end",
    piecewise("n", [
      [1, 100],
      [5, 0],
    ])({ n: 0 }),
    [{ code: "enough", values: { score: 100, bound: 1, side: "less" } }],
  ],
  [
    "over the logarithm",
    logPiecewise("n", [
      [1, 100],
      [100, 0],
    ])({ n: 10 }),
    [{ code: "falls", values: { score: 50, from: 1, from_score: 100, to: 100, to_score: 0 } }],
  ],
  [
    "counts",
    halving({ high: 5, low: 9 })({ high: 5, low: 0 }),
    [{ field: "high", code: "leaves", values: { share: 0.5, halved_by: 5 } }],
  ],
  [
    "nothing counted",
    halving({ high: 5, low: 9 })({ high: 0, low: 0 }),
    [
      { field: "high", code: "none", values: { halved_by: 5 } },
      { field: "low", code: "none", values: { halved_by: 9 } },
    ],
  ],
  ["a flag that passes", passFail("on", { passes: true, pass: "a", fail: "b" })({ on: true }), [{ code: "pass" }]],
  ["a flag that fails", passFail("on", { passes: true, pass: "a", fail: "b" })({ on: false }), [{ code: "fail" }]],
  [
    "the lowest",
    lowestOf(piecewise("n", hill), passFail("on", { passes: true, pass: "a", fail: "b" }))({ n: 25.5, on: true }),
    [
      { field: "n", code: "rises", values: { score: 50, ...slope, counts: true } },
      { field: "on", code: "pass", values: { counts: false } },
    ],
  ],
  ["no number", at(Number.NaN), [{ field: "n", value: Number.NaN, text: "n is not a number" }]],
])("a reason has the figures of its sentence: %s", (_, { reasons }, expected) => {
  expect(reasons).toMatchObject(expected);
  expect(reasons).toHaveLength(expected.length);
});

test("a sentence without figures has none", () => {
  expect(at(Number.NaN).reasons[0]).not.toHaveProperty("code");
  expect(passFail("on", { passes: true, pass: "a", fail: "b" })({ on: true }).reasons[0]).not.toHaveProperty("values");
});
