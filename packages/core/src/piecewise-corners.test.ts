import { expect, test } from "vitest";
import { bendsOf } from "./curve.ts";
import { halving, logPiecewise, lowestOf, type Point, passFail, piecewise } from "./index.ts";
import type { ScoreFunction } from "./scorecard.ts";

const latency = () =>
  piecewise("p95_ms", [
    [100, 100],
    [200, 50],
    [400, 0],
  ]);
const errors = () =>
  logPiecewise("error_rate", [
    [0.01, 100],
    [0.1, 0],
  ]);

const deploys = () => halving({ deploys: 4 });
const author = (): ScoreFunction<never> => () => ({ score: 50, reasons: [] });

test.each<[string, () => ScoreFunction<never>, string, readonly number[], boolean]>([
  ["one curve", latency, "p95_ms", [100, 200, 400], true],
  ["a field that it does not read", latency, "error_rate", [], true],
  ["two of different fields", () => lowestOf(latency(), errors()), "error_rate", [0.01, 0.1], true],
  [
    "two of one field",
    () =>
      lowestOf(
        latency(),
        piecewise("p95_ms", [
          [1, 100],
          [2, 0],
        ]),
      ),
    ...(["p95_ms", [100, 200, 400, 1, 2], true] as const),
  ],
  [
    "a flag beside a curve",
    () => lowestOf(errors(), passFail("up", { passes: true, pass: "a", fail: "b" })),
    ...(["error_rate", [0.01, 0.1], true] as const),
  ],
  ["a count", deploys, "deploys", [], false],
  [
    "a count beside a curve of the same field",
    () =>
      lowestOf(
        deploys(),
        piecewise("deploys", [
          [1, 100],
          [2, 0],
        ]),
      ),
    ...(["deploys", [1, 2], false] as const),
  ],
  ["a function of the author", author, "p95_ms", [], false],
  ["a function of the author beside a curve", () => lowestOf(latency(), author()), "p95_ms", [100, 200, 400], false],
])("the bends of %s", (_, curve, field, corners, only) => {
  expect(bendsOf(curve(), field)).toEqual({ corners, only });
});

const reasonOf = (points: readonly Point[], input: number, curve = piecewise) =>
  curve("size", points)({ size: input }).reasons[0]?.text;

test.each<[string, readonly Point[], number, string]>([
  [
    "the first, of a low score",
    [
      [0, 0.5],
      [10, 0.5],
    ],
    0,
    "stays at 0.5 from 0 to 10",
  ],
  [
    "the last, of a low score",
    [
      [0, 0.5],
      [10, 0.5],
    ],
    10,
    "stays at 0.5 from 0 to 10",
  ],
  [
    "a peak, of whose sides none is better",
    [
      [0, 0],
      [10, 100],
      [20, 0],
    ],
    10,
    "rises evenly from 0 at 0 to 100 at 10",
  ],
])("at a point the reason says the rule: %s", (_, points, input, rule) => {
  expect(reasonOf(points, input)).toContain(`; the score ${rule}`);
});

test("over a single doubling, the reason says what it costs", () => {
  const points = [
    [10, 100],
    [20, 40],
  ] as const;
  expect(reasonOf(points, 15, logPiecewise)).toContain(
    "falls from 100 at 10 to 40 at 20, by 60 points with every doubling",
  );
});

test("one point out of order is refused, though the others rise", () => {
  const points = [
    [0, 0],
    [10, 50],
    [5, 100],
  ] as const;
  expect(() => piecewise("size", points)).toThrow("needs at least two points, by rising input");
});
