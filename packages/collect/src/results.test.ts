import { expect, test } from "vitest";
import type { Query, ResultRow } from "./query.ts";
import { type Results, resultsOf } from "./results.ts";

const promql: Query = {
  name: "availability",
  source: { kind: "prometheus", name: "prometheus", url: "http://prometheus", headers: {}, timeoutMs: 1 },
  text: "up",
  scorecard: "reliability",
  metric: "sla",
  raw: { availability_pct: { field: "value" } },
  target: { area: { constant: "shop" }, team: { field: "team" }, app: { field: "app" }, env: { constant: "prod" } },
};

const sql: Query = {
  ...promql,
  name: "recovery",
  source: { kind: "postgres", name: "incidents", url: "postgres://db", timeoutMs: 1 },
  metric: "mttr",
  raw: { minutes: { field: "minutes" }, estimated: { constant: true } },
};

const series = (labels: Record<string, string>, value: number): ResultRow => ({
  name: JSON.stringify(labels),
  labels,
  values: { value },
});
const row = (columns: Record<string, unknown>): ResultRow => ({ name: "row 1", labels: columns, values: columns });

const cart = { team: "checkout", app: "cart" };
const key = { area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "reliability" };
const none: Results = { results: [], skipped: [], faults: [] };

const cases: Readonly<Record<string, readonly [Query, ResultRow, Partial<Results>]>> = {
  "a series": [
    promql,
    series({ ...cart, job: "x" }, 99.5),
    {
      results: [
        {
          row: '{"team":"checkout","app":"cart","job":"x"}',
          submission: { ...key, metric: "sla", raw: { availability_pct: 99.5 } },
        },
      ],
    },
  ],
  "a series with its time": [
    promql,
    { ...series(cart, 99.5), measuredAt: "2024-10-03T10:11:12.000Z" },
    {
      results: [
        {
          row: '{"team":"checkout","app":"cart"}',
          submission: {
            ...key,
            metric: "sla",
            raw: { availability_pct: 99.5 },
            measured_at: "2024-10-03T10:11:12.000Z",
          },
        },
      ],
    },
  ],
  "a row": [
    sql,
    row({ ...cart, minutes: 90 }),
    { results: [{ row: "row 1", submission: { ...key, metric: "mttr", raw: { minutes: 90, estimated: true } } }] },
  ],
  "a number as a name": [
    sql,
    row({ ...cart, app: 7, minutes: 0 }),
    {
      results: [
        { row: "row 1", submission: { ...key, app: "7", metric: "mttr", raw: { minutes: 0, estimated: true } } },
      ],
    },
  ],
  NaN: [
    promql,
    series(cart, Number.NaN),
    { skipped: [{ row: '{"team":"checkout","app":"cart"}', text: "$value is NaN" }] },
  ],
  infinity: [
    promql,
    series(cart, Number.NEGATIVE_INFINITY),
    { skipped: [{ row: '{"team":"checkout","app":"cart"}', text: "$value is -Infinity" }] },
  ],
  "a series that proves nothing, of which raw takes no value": [
    { ...promql, metric: "mttr", raw: { minutes: { constant: 5 } } },
    { ...series(cart, Number.NaN), nothing: "$value is NaN" },
    { skipped: [{ row: '{"team":"checkout","app":"cart"}', text: "$value is NaN" }] },
  ],
  "null as a value": [sql, row({ ...cart, minutes: null }), { skipped: [{ row: "row 1", text: "$minutes is null" }] }],
  "missing labels": [
    promql,
    series({}, 1),
    { faults: [{ row: "{}", text: "team: the series has no label team; app: the series has no label app" }] },
  ],
  "a label named like a member of every object": [
    { ...promql, target: { ...promql.target, team: { field: "constructor" } } },
    series(cart, 1),
    {
      faults: [{ row: '{"team":"checkout","app":"cart"}', text: "team: the series has no label constructor" }],
    },
  ],
  "null as a name": [
    sql,
    row({ team: null, app: "", minutes: 1 }),
    { faults: [{ row: "row 1", text: "team: $team is null; app: $app is empty" }] },
  ],
  "a boolean as a name": [
    sql,
    row({ ...cart, team: true, minutes: 1 }),
    { faults: [{ row: "row 1", text: "team: $team is a boolean and must be a text; cast it: ::text" }] },
  ],
  "a text as a value": [
    sql,
    row({ ...cart, minutes: "01:30:00" }),
    {
      faults: [
        {
          row: "row 1",
          text: 'minutes: $minutes is the text "01:30:00" and must be a number or a boolean; cast it: ::float8',
        },
      ],
    },
  ],
  "a constant text as a value": [
    { ...sql, raw: { minutes: { field: "minutes" }, currency: { constant: "EUR" } } },
    row({ ...cart, minutes: 1 }),
    { results: [{ row: "row 1", submission: { ...key, metric: "mttr", raw: { minutes: 1, currency: "EUR" } } }] },
  ],
};

test.each(Object.entries(cases))("%s", (_, [query, row, expected]) => {
  expect(resultsOf(query, [row], new Map())).toEqual({ ...none, ...expected });
});

test("two series of one target fail the query, and the fault says what to aggregate over", () => {
  const rows = [
    series({ ...cart, instance: "a", zone: "1", job: "cart" }, 1),
    series({ ...cart, instance: "b", job: "cart" }, Number.NaN),
  ];
  expect(() => resultsOf(promql, rows, new Map())).toThrow(
    '{"team":"checkout","app":"cart","instance":"a","zone":"1","job":"cart"} and ' +
      '{"team":"checkout","app":"cart","instance":"b","job":"cart"} are both of shop/checkout/cart/prod: ' +
      "aggregate over what they differ in, such as avg without (instance, zone) (…)",
  );
});

test("two rows of one target fail the query", () => {
  const rows = [row({ ...cart, minutes: 1 }), { ...row({ ...cart, minutes: 2 }), name: "row 2" }];
  expect(() => resultsOf(sql, rows, new Map())).toThrow(
    "row 1 and row 2 are both of shop/checkout/cart/prod: group the rows by what the target is made of",
  );
});

test("what one query sends no other sends, but for what it skipped", () => {
  const claimed = new Map<string, string>();
  resultsOf(promql, [series(cart, 99), series({ team: "search", app: "index" }, Number.NaN)], claimed);
  const other = { ...promql, name: "availability of old" };
  expect(() => resultsOf(other, [series(cart, 98)], claimed)).toThrow(
    "is of shop/checkout/cart/prod, for which availability sends it",
  );
  expect(resultsOf(other, [series({ team: "search", app: "index" }, 98)], claimed).results).toHaveLength(1);
  expect(resultsOf({ ...other, metric: "mttr" }, [series(cart, 98)], claimed).results).toHaveLength(1);
});
