import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { lcov } from "./lcov.ts";

const shop = `TN:
SF:src/cart.ts
FN:1,add
FNDA:4,add
DA:1,4
DA:2,4
DA:3,0
LF:3
LH:2
end_of_record
SF:src/price.ts
DA:10,0
LF:1
LH:0
end_of_record
`;

testFormat(
  lcov,
  {
    "every line of every file": { report: shop, reads: covered(2, 4) },
    "a file that two records have counts once, covered by any of them": {
      report: `${shop}TN:
SF:src/cart.ts
DA:2,0
DA:3,7
LF:2
LH:1
end_of_record
`,
      reads: covered(3, 4),
    },
    "two files put together": { report: shop + shop, reads: covered(2, 4) },
    "a line that a record lists more than once counts once, whatever LF and LH say": {
      report: "SF:a.cs\nDA:5,0\nDA:5,2\nDA:6,0\nLH:9\nLF:11\nend_of_record\n",
      reads: covered(1, 2),
    },
    "LF and LH count where a record lists no lines": {
      report: `${shop}SF:src/tax.ts\nLF:6\nLH:3\nend_of_record\n`,
      reads: covered(5, 10),
    },
    "without LF, LH and TN, as Dart writes it": {
      report: "SF:lib/a.dart\nDA:1,1\nend_of_record",
      reads: covered(1, 1),
    },
    "comments, checksums, branches and what LCOV 2 adds": {
      report: `# made by hand

TN:
SF:a.c
VER:3
FNL:0,1,3
FNA:0,2,main
BRDA:2,0,0,-
BRF:1
BRH:0
MCF:0
DA:1,2,dGVzdA==
DA:2,0,dGVzdB==
end_of_record
`,
      reads: covered(1, 2),
    },
    "counts as large as a counter gets, and below 0, as gcov gives them": {
      report: "SF:a.c\nDA:1,18446744073709551615\nDA:2,-3\nend_of_record\n",
      reads: covered(1, 2),
    },
    "paths of Windows, and with colons and commas": {
      report: "SF:C:\\src\\a,b.c\nDA:1,1\nend_of_record\nSF:C:\\src\\a.c\nDA:1,0\nend_of_record\n",
      reads: covered(1, 2),
    },

    "a file that ends within a record": {
      report: "TN:\nSF:a.c\nDA:1,1\nLF:1\nLH:1\n",
      refused: ["unreadable-report", "is cut off: the record that begins in line 2 has no end_of_record"],
    },
    "a record that ends nowhere before the next one": {
      report: `SF:a.c\nDA:1,1\n${shop}`,
      refused: ["unreadable-report", "is cut off: the record that begins in line 1 has no end_of_record"],
    },
    "a line without its count": {
      report: "SF:a.c\nDA:1\nend_of_record\n",
      refused: ["unreadable-report", "line 2 must be DA:<line>,<count>: the file may be cut off there"],
    },
    "a count that is no number": {
      report: "SF:a.c\nDA:1,many\nend_of_record\n",
      refused: ["unreadable-report", "line 2 must be DA:<line>,<count>: the file may be cut off there"],
    },
    "a line number below 0": {
      report: "SF:a.c\nDA:-1,1\nend_of_record\n",
      refused: ["unreadable-report", "line 2 must be DA:<line>,<count>: the file may be cut off there"],
    },
    "lines of no file": {
      report: "TN:\nDA:1,1\nend_of_record\n",
      refused: ["unreadable-report", "line 2 belongs to no file: no SF stands before it"],
    },
    "a file that ends between two records": {
      report: `${shop}S`,
      refused: ["unreadable-report", "line 16 belongs to no file: the report may be cut off there"],
    },
    "totals that stand there again": {
      report: "SF:a.c\nLF:6\nLH:3\nend_of_record\n".repeat(2),
      reads: covered(3, 6),
    },
    "two totals of one file": {
      report: "SF:a.c\nLF:6\nLH:3\nend_of_record\nSF:a.c\nLF:6\nLH:5\nend_of_record\n",
      refused: ["unreadable-report", "has two totals of one file: the second record of it ends in line 8"],
    },
    "more lines hit than there are": {
      report: "SF:a.c\nLF:1\nLH:2\nend_of_record\n",
      refused: ["unreadable-report", "the record that ends in line 4 has more lines hit (LH) than there are (LF)"],
    },
    "a total that is no number": {
      report: "SF:a.c\nLF:?\nend_of_record\n",
      refused: ["unreadable-report", "LF in line 2 must be a number"],
    },
    "no lines at all": {
      report: "TN:\nSF:a.c\nLF:0\nLH:0\nend_of_record\n",
      refused: ["nothing-measured", "measured nothing: it has no lines"],
    },
    "only the name of a test": {
      report: "TN:nothing ran\n",
      refused: ["nothing-measured", "measured nothing: it has no lines"],
    },
  },
  { appends: true },
);
