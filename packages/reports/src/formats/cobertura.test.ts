import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { cobertura } from "./cobertura.ts";

const lines = (...hits: number[]) =>
  hits.map((count, index) => `<line number="${index + 1}" hits="${count}"/>`).join("");
const report = (attributes: string, ...classes: string[]) =>
  `<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5" branch-rate="0" ${attributes} version="1" timestamp="1">
<packages><package name="shop" line-rate="0.5"><classes>
${classes.join("\n")}
</classes></package></packages>
</coverage>
`;
const cart = `<class name="Cart" filename="cart.py" line-rate="0.5">
<methods><method name="add" signature="()" line-rate="1"><lines><line number="99" hits="1"/></lines></method></methods>
<lines>${lines(1, 0, 2, 0)}</lines></class>`;

testFormat(cobertura, {
  "the totals of the root": {
    report: report('lines-covered="20" lines-valid="40"', cart),
    reads: covered(20, 40),
  },
  "without totals, the lines of the classes but not of their methods": {
    report: report("", cart),
    reads: covered(2, 4),
  },
  "two classes of a file share lines": {
    report: report("", cart, `<class name="Item" filename="cart.py"><lines>${lines(0, 7, 0, 0, 0)}</lines></class>`),
    reads: covered(3, 5),
  },
  "one total alone does not count": {
    report: report('lines-valid="40"', cart),
    reads: covered(2, 4),
  },
  "no lines, only totals, as of Swift": {
    report: '<coverage lines-covered="1" lines-valid="2" line-rate="0.5"><packages></packages></coverage>',
    reads: covered(1, 2),
  },
  "single quotes, comments and entities": {
    report: `<!-- coverage.py --><coverage line-rate='1'><packages><package name='&lt;a&gt;'><classes>
<class name='a' filename='a&amp;b.py'><lines><line hits='1' number='3'/></lines></class></classes></package></packages></coverage>`,
    reads: covered(1, 1),
  },

  "a report that is cut off, though its totals are there": {
    report: report('lines-covered="30" lines-valid="40"', cart).slice(0, 400),
    refused: ["unreadable-report", "is cut off inside coverage/packages/package/classes/class/methods/method/lines"],
  },
  "a line without hits": {
    report: report("", '<class name="a" filename="a.py"><lines><line number="1"/></lines></class>'),
    refused: ["unreadable-report", "hits of <line> must be a number"],
  },
  "a class without file": {
    report: report("", `<class name="a"><lines>${lines(1)}</lines></class>`),
    refused: ["unreadable-report", "<class> must have a filename"],
  },
  "totals that are no numbers": {
    report: report('lines-covered="NaN" lines-valid="40"', cart),
    refused: ["unreadable-report", "lines-covered of <coverage> must be a number"],
  },
  "totals below 0": {
    report: report('lines-covered="1" lines-valid="-4"', cart),
    refused: ["unreadable-report", "lines-valid of <coverage> must be a whole number"],
  },
  "more covered than there is": {
    report: '<coverage lines-covered="41" lines-valid="40"><packages/></coverage>',
    refused: ["unreadable-report", "has more covered than there is"],
  },
  "nothing loaded, although the rate is 1": {
    report: '<coverage line-rate="1" lines-covered="0" lines-valid="0"><packages/></coverage>',
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "two reports in one file": {
    report: '<coverage line-rate="1"><packages/></coverage><coverage line-rate="1"><packages/></coverage>',
    refused: ["unreadable-report", "is not well-formed XML: 1:56: documents may contain only one root."],
  },
});
