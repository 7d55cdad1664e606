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
const range = (reduce: Range["reduce"]): Range => ({ lastMs: 1, stepMs: 1, reduce });
const points = [
  [1, "3"],
  [2, "1"],
  [3, "2"],
];

const answers: Readonly<Record<string, readonly [body: unknown, range: Range | undefined, expected: QueryResult]>> = {
  "a vector": [
    success("vector", [{ metric: labels, value: [1, "99.5"] }]),
    undefined,
    { rows: [{ name, labels, values: { value: 99.5 } }], notes: [] },
  ],
  "numbers that JSON does not have": [
    success(
      "vector",
      ["NaN", "+Inf", "-Inf", "1e-05"].map((value) => ({ metric: plain, value: [1, value] })),
    ),
    undefined,
    {
      rows: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.00001].map((value) => ({
        name: '{app="cart"}',
        labels: plain,
        values: { value },
      })),
      notes: [],
    },
  ],
  "no series": [success("vector", []), undefined, { rows: [], notes: [] }],
  "a scalar": [
    success("scalar", [1, "7"]),
    undefined,
    { rows: [{ name: "the scalar", labels: {}, values: { value: 7 } }], notes: [] },
  ],
  "warnings and infos": [
    success("vector", [], { warnings: ["a store is down"], infos: ["not a counter"] }),
    undefined,
    { rows: [], notes: ["a store is down", "not a counter"] },
  ],
  "points that are no numbers": [
    success("matrix", [{ metric: plain, values: [[1, "NaN"], ...points, [4, "+Inf"]] }]),
    range("avg"),
    {
      rows: [{ name: '{app="cart"}', labels: plain, values: { value: 2 } }],
      notes: ['{app="cart"}: 2 of 5 points are NaN or infinite and do not count'],
    },
  ],
  "no point that is a number": [
    success("matrix", [{ metric: plain, values: [[1, "NaN"]] }]),
    range("min"),
    {
      rows: [{ name: '{app="cart"}', labels: plain, values: { value: Number.NaN } }],
      notes: ['{app="cart"}: 1 of 1 points are NaN or infinite and do not count'],
    },
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
  "JSON of something else": [{ status: "ok" }, undefined, "the answer is none of Prometheus's HTTP API"],
  "a list": [[], undefined, "the answer is none of Prometheus's HTTP API"],
  null: [null, undefined, "the answer is none of Prometheus's HTTP API"],
};

test.each(Object.entries(refused))("%s", (_, [body, range, message]) => {
  expect(() => readAnswer(body, range)).toThrow(expect.objectContaining({ name: "QueryError", message }));
});
