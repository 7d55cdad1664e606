import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { clover } from "./clover.ts";

const report = (metrics: string, files = "", attributes = 'clover="4.4.1"') => `<?xml version="1.0" encoding="UTF-8"?>
<coverage generated="1767225600" ${attributes}><project timestamp="1" name="shop">
${files}
<metrics loc="90" ncloc="80" files="1" methods="5" coveredmethods="5" ${metrics} elements="9" coveredelements="9"/>
</project></coverage>
`;
const files = `<package name="shop"><metrics statements="77" coveredstatements="7"/>
<file name="Cart.php" path="/shop/Cart.php"><class name="Cart"><metrics statements="66" coveredstatements="6"/></class>
<line num="1" type="method" count="0"/><line num="2" type="stmt" count="3"/><line num="3" type="stmt" count="0"/>
<metrics statements="55" coveredstatements="5"/></file></package>`;

testFormat(clover, {
  "the statements of the project, not those of its packages, files and classes": {
    report: report('statements="4" coveredstatements="3"', files),
    reads: { ...covered(3, 4), notes: ["statements are counted: Clover has no total of lines"] },
  },
  "PHPUnit gives no version": {
    report: report('statements="2" coveredstatements="1"', files, ""),
    reads: covered(1, 2),
  },
  "the tests' own statements do not count": {
    report: report('statements="2" coveredstatements="1"', files).replace(
      "</project>",
      '</project><testproject><metrics statements="9" coveredstatements="9"/></testproject>',
    ),
    reads: covered(1, 2),
  },

  "no statements": {
    report: report('statements="0" coveredstatements="0"'),
    refused: ["nothing-measured", "measured nothing: it has no statements"],
  },
  "no figures of the project": {
    report: `<coverage generated="1"><project>${files}</project></coverage>`,
    refused: ["unreadable-report", "has no <metrics> directly in <project>"],
  },
  "figures that are not there": {
    report: report('statements="4"'),
    refused: ["unreadable-report", "coveredstatements of <metrics> must be a number"],
  },
  "more covered than there is": {
    report: report('statements="4" coveredstatements="5"'),
    refused: ["unreadable-report", "has more covered than there is"],
  },
  "a file that is cut off": {
    report: report('statements="4" coveredstatements="3"').replace("</project></coverage>\n", ""),
    refused: ["unreadable-report", "is cut off inside coverage/project"],
  },
});
