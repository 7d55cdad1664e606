import { expect, test } from "vitest";
import { readAnswer } from "./prometheus-answer.ts";
import type { QueryResult, Range } from "./query.ts";

const success = (resultType: string, result: unknown, more: object = {}) => ({
  status: "success",
  data: { resultType, result },
  ...more,
});
const labels = { __name__: "up", team: "checkout", app: 'c"art' };
const name = 'up{app="c\\"art", team="checkout"}';
const plain = { app: "cart" };
/** Of four points, of which so many must be there. */
const range = (reduce: Range["reduce"], minPoints = 0.75): Range => ({
  lastMs: 3_000,
  stepMs: 1_000,
  reduce,
  minPoints,
});
const points = [
  [1, "3"],
  [2, "1"],
  [3, "2"],
];
const nan = (value: number, nothing: string) => ({ name: '{app="cart"}', labels: plain, values: { value }, nothing });

const answers: Readonly<Record<string, readonly [body: unknown, range: Range | undefined, expected: QueryResult]>> = {
  "a vector": [
    success("vector", [{ metric: labels, value: [1, "99.5"] }]),
    undefined,
    { rows: [{ name, labels, values: { value: 99.5 } }], notes: [] },
  ],
  "a vector with its time": [
    success("vector", [{ metric: labels, value: [1_727_950_272.781, "99.5"] }]),
    undefined,
    { rows: [{ name, labels, values: { value: 99.5 }, measuredAt: "2024-10-03T10:11:12.781Z" }], notes: [] },
  ],
  "times that are none": [
    success(
      "vector",
      [0, -1, "1727950272", 1e300, null].map((time) => ({ metric: plain, value: [time, "1"] })),
    ),
    undefined,
    { rows: Array(5).fill({ name: '{app="cart"}', labels: plain, values: { value: 1 } }), notes: [] },
  ],
  "a range with the time of its last point that counts": [
    success("matrix", [
      {
        metric: plain,
        values: [1, 2, 3, 4].map((second) => [1_727_950_270 + second, second === 4 ? "NaN" : String(second)]),
      },
    ]),
    range("avg"),
    {
      rows: [{ name: '{app="cart"}', labels: plain, values: { value: 2 }, measuredAt: "2024-10-03T10:11:13.000Z" }],
      notes: [],
    },
  ],
  "numbers that JSON does not have": [
    success(
      "vector",
      ["NaN", "+Inf", "-Inf", "1e-05"].map((value) => ({ metric: plain, value: [1, value] })),
    ),
    undefined,
    {
      rows: [
        nan(Number.NaN, "$value is NaN"),
        nan(Number.POSITIVE_INFINITY, "$value is Infinity"),
        nan(Number.NEGATIVE_INFINITY, "$value is -Infinity"),
        { name: '{app="cart"}', labels: plain, values: { value: 0.00001 } },
      ],
      notes: [],
    },
  ],
  "no series": [success("vector", []), undefined, { rows: [], notes: [] }],
  "a scalar": [
    success("scalar", [1, "7"]),
    undefined,
    { rows: [{ name: "the scalar", labels: {}, values: { value: 7 } }], notes: [] },
  ],
  "a scalar that is no number": [
    success("scalar", [1, "NaN"]),
    undefined,
    { rows: [{ name: "the scalar", labels: {}, values: { value: Number.NaN }, nothing: "$value is NaN" }], notes: [] },
  ],
  "warnings and infos of the engine": [
    success("vector", [], { warnings: ["PromQL warning: no bucket label"], infos: ["PromQL info: not a counter"] }),
    undefined,
    { rows: [], notes: ["PromQL warning: no bucket label", "PromQL info: not a counter"] },
  ],
  "an answer that says it is whole": [success("vector", [], { isPartial: false }), undefined, { rows: [], notes: [] }],
  "points that are no numbers": [
    success("matrix", [{ metric: plain, values: [...points, [4, "+Inf"]] }]),
    range("avg"),
    { rows: [{ name: '{app="cart"}', labels: plain, values: { value: 2 } }], notes: [] },
  ],
  "no point that is a number": [
    success("matrix", [{ metric: plain, values: [[1, "NaN"]] }]),
    range("min"),
    { rows: [nan(Number.NaN, "0 of 4 points are finite numbers, and min_points is 0.75")], notes: [] },
  ],
  "a point fewer than are wanted": [
    success("matrix", [{ metric: plain, values: [...points.slice(1), [4, "NaN"]] }]),
    range("max"),
    { rows: [nan(Number.NaN, "2 of 4 points are finite numbers, and min_points is 0.75")], notes: [] },
  ],
  "one point of a range of which one is enough": [
    success("matrix", [{ metric: plain, values: [[4, "7"]] }]),
    range("last", 0.25),
    { rows: [{ name: '{app="cart"}', labels: plain, values: { value: 7 } }], notes: [] },
  ],
  "a sum beyond all numbers": [
    success("matrix", [{ metric: plain, values: points.map(([at]) => [at, "1e308"]) }]),
    range("sum"),
    { rows: [nan(Number.POSITIVE_INFINITY, "$value is Infinity")], notes: [] },
  ],
};

test.each(Object.entries(answers))("%s", (_, [body, range, expected]) => {
  expect(readAnswer(body, range)).toEqual(expected);
});

test.each<[Range["reduce"], number]>([
  ["avg", 2],
  ["min", 1],
  ["max", 3],
  ["sum", 6],
  ["last", 2],
])("%s of the points", (reduce, expected) => {
  const { rows } = readAnswer(success("matrix", [{ metric: plain, values: points }]), range(reduce));
  expect(rows.map(({ values }) => values)).toEqual([{ value: expected }]);
});

const histogram = { count: "1", sum: "1" };
const refused: Readonly<Record<string, readonly [body: unknown, range: Range | undefined, message: string]>> = {
  "an error": [
    { status: "error", errorType: "bad_data", error: "1:1: parse error: unexpected end of input" },
    undefined,
    "1:1: parse error: unexpected end of input",
  ],
  "a range of points": [
    success("matrix", []),
    undefined,
    "the query gives a range of points: add a function such as avg_over_time, or a range",
  ],
  "a text": [success("string", [1, "a"]), undefined, "the query gives a text, not a number"],
  "a histogram": [
    success("vector", [{ metric: plain, histogram: [1, histogram] }]),
    undefined,
    '{app="cart"} is a histogram and has no single value: use histogram_quantile, histogram_avg or such',
  ],
  "histograms over a time": [
    success("matrix", [{ metric: plain, histograms: [[1, histogram]] }]),
    range("avg"),
    '{app="cart"} is a histogram and has no single value: use histogram_quantile, histogram_avg or such',
  ],
  "an answer of which Thanos lacks a store": [
    success("vector", [], {
      warnings: ["PromQL warning: x", "No StoreAPIs matched for this query", "receive is down"],
    }),
    undefined,
    "the answer is incomplete: No StoreAPIs matched for this query; receive is down",
  ],
  "an answer of which VictoriaMetrics lacks a store": [
    success("matrix", [], { isPartial: true }),
    range("avg"),
    "the answer is incomplete: a store did not answer",
  ],
  "JSON of something else": [{ status: "ok" }, undefined, "the answer is none of Prometheus's HTTP API"],
  "a list": [[], undefined, "the answer is none of Prometheus's HTTP API"],
  null: [null, undefined, "the answer is none of Prometheus's HTTP API"],
};

test.each(Object.entries(refused))("%s", (_, [body, range, message]) => {
  expect(() => readAnswer(body, range)).toThrow(expect.objectContaining({ name: "QueryError", message }));
});
