import { expect, test } from "vitest";
import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { mergeReadings, readReport } from "../index.ts";
import { istanbulFinal } from "./istanbul-final.ts";

/** A file of statements, each [line it starts on, hits]. */
const file = (statements: readonly (readonly [unknown, unknown])[], others: object = {}) => ({
  path: "/shop/cart.ts",
  statementMap: Object.fromEntries(
    statements.map(([line], id) => [id, { start: { line, column: 2 }, end: { line: Number(line) + 3, column: null } }]),
  ),
  fnMap: {},
  branchMap: {},
  s: Object.fromEntries(statements.map(([, hits], id) => [id, hits])),
  f: {},
  b: {},
  ...others,
});

testFormat(istanbulFinal, {
  "a line counts once, covered by any statement that starts on it": {
    report: {
      "/shop/cart.ts": file([
        [1, 1],
        [1, 0],
        [2, 0],
        [2, 0],
        [5, 12],
      ]),
    },
    reads: { ...covered(2, 3), coverage: { unit: "lines" } },
  },
  "several files, one of them without statements, one of Windows": {
    report: {
      "/shop/a.ts": file([[1, 1]]),
      "/shop/types.ts": file([]),
      "C:\\shop\\b.ts": file([[1, 0]], { all: true }),
    },
    reads: covered(1, 2),
  },
  "lines of solidity-coverage's own, which are not what Istanbul counts": {
    report: {
      "contracts/a.sol": file(
        [
          [21, 3],
          [22, 0],
        ],
        { l: { 21: 3, 22: 0, 23: 0 } },
      ),
    },
    reads: covered(1, 2),
  },
  "the key data around a file": {
    report: {
      "/shop/a.ts": {
        data: file([
          [1, 1],
          [2, 0],
        ]),
      },
    },
    reads: covered(1, 2),
  },
  "hits of a statement that no map has": {
    report: { "/shop/a.ts": file([[1, 1]], { s: { 0: 1, 1: 0, __proto__: 0, constructor: 0 } }) },
    reads: covered(1, 1),
  },

  "no statements": {
    report: { "/shop/types.ts": file([]) },
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "a file that is none": {
    report: { "/shop/a.ts": file([[1, 1]]), "/shop/b.ts": "covered" },
    refused: ["unreadable-report", "the entry of each file must be an object"],
  },
  "a statement that starts nowhere": {
    report: { "/shop/a.ts": file([[null, 1]]) },
    refused: ["unreadable-report", "start.line of each statement must be a whole number"],
  },
  "hits as a text": {
    report: { "/shop/a.ts": file([[1, "1"]]) },
    refused: ["unreadable-report", "each hit in s must be a number"],
  },
});

test("the shards of a test run merge line by line", () => {
  const shards = [
    {
      "/a.ts": file([
        [1, 1],
        [2, 0],
        [3, 0],
      ]),
    },
    {
      "/a.ts": file([
        [1, 4],
        [2, 2],
        [3, 0],
      ]),
      "/b.ts": file([[1, 0]]),
    },
  ];
  const merged = mergeReadings(shards.map((shard) => readReport(JSON.stringify(shard), { metric: "unit_coverage" })));
  expect(merged).toMatchObject({ ...covered(2, 4), notes: [] });
});
