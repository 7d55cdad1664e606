import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { goCover } from "./go-cover.ts";

const shop = `mode: set
example.com/shop/cart.go:5.20,8.2 3 1
example.com/shop/cart.go:10.24,12.16 2 0
example.com/shop/price.go:4.30,6.2 1 1
`;

testFormat(
  goCover,
  {
    "statements, not blocks": {
      report: shop,
      reads: { ...covered(4, 6), notes: ["statements are counted: a Go cover profile has no lines"] },
    },
    "a block that is listed for several packages counts once, covered by any of them": {
      report: `mode: atomic
example.com/shop/cart.go:5.20,8.2 3 0
example.com/shop/cart.go:10.24,12.16 2 0
example.com/shop/cart.go:5.20,8.2 3 7
example.com/shop/cart.go:10.24,12.16 2 0
`,
      reads: covered(3, 5),
    },
    "two profiles put together": { report: shop + shop, reads: covered(4, 6) },
    "counts of every run": { report: "mode: count\nb.go:1.1,2.2 1 0\na.go:1.1,2.2 1 250000", reads: covered(1, 2) },
    "a path of Windows": { report: "mode: set\nC:\\src\\a.go:1.1,2.2 4 1\n", reads: covered(4, 4) },

    "a line that is cut off": {
      report: "mode: set\na.go:1.1,2.2 1 1\na.go:3.1,4.2 1",
      refused: [
        "unreadable-report",
        "line 3 must be <file>:<line>.<column>,<line>.<column> <statements> <count>: the file may be cut off there",
      ],
    },
    "a count below 0": {
      report: "mode: set\na.go:1.1,2.2 1 -1\n",
      refused: [
        "unreadable-report",
        "line 2 must be <file>:<line>.<column>,<line>.<column> <statements> <count>: the file may be cut off there",
      ],
    },
    "statements of 400 digits": {
      report: `mode: set\na.go:1.1,2.2 1 1\na.go:3.1,4.2 ${"9".repeat(400)} 1\n`,
      refused: ["unreadable-report", "line 3 has a number that is too large"],
    },
    "a count of 400 digits": {
      report: `mode: set\na.go:1.1,2.2 1 ${"9".repeat(400)}\n`,
      refused: ["unreadable-report", "line 2 has a number that is too large"],
    },
    "statements that are too many together": {
      report: `mode: set\na.go:1.1,2.2 ${Number.MAX_SAFE_INTEGER} 1\na.go:3.1,4.2 ${Number.MAX_SAFE_INTEGER} 1\n`,
      refused: [
        "unreadable-report",
        "the number of covered lines or statements must be a whole number from 0 to 9007199254740991",
      ],
    },
    "two versions of the source": {
      report: "mode: set\na.go:1.1,2.2 1 1\na.go:1.1,2.2 2 1\n",
      refused: ["unreadable-report", "covers two versions of the source: a block has different numbers of statements"],
    },
    "no blocks": {
      report: "mode: set\n",
      refused: ["nothing-measured", "measured nothing: it has no statements"],
    },
    "only blocks without statements": {
      report: "mode: set\na.go:1.1,2.2 0 1\n",
      refused: ["nothing-measured", "measured nothing: it has no statements"],
    },
  },
  { appends: true },
);
