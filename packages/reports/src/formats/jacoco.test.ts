import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { jacoco } from "./jacoco.ts";

const lineCounter = (missed: number, covered: number) =>
  `<counter type="LINE" missed="${missed}" covered="${covered}"/>`;
const shop = `<package name="shop">
<class name="shop/Cart" sourcefilename="Cart.java"><method name="add" desc="()V" line="3">${lineCounter(9, 9)}</method>${lineCounter(8, 8)}</class>
<sourcefile name="Cart.java"><line nr="3" mi="0" ci="2" mb="0" cb="0"/><line nr="4" mi="1" ci="0" mb="0" cb="0"/>${lineCounter(1, 1)}</sourcefile>
${lineCounter(1, 1)}</package>`;
const report = (content: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="shop"><sessioninfo id="ci-1" start="1" dump="2"/>
${content}
</report>
`;

testFormat(jacoco, {
  "the counter of the report, not those of its packages and classes": {
    report: report(`${shop}<counter type="BRANCH" missed="5" covered="0"/>${lineCounter(1, 3)}`),
    reads: covered(3, 4),
  },
  "an aggregate of modules": {
    report: report(`<group name="core">${shop}${lineCounter(6, 6)}</group>${lineCounter(2, 6)}`),
    reads: covered(6, 8),
  },
  "everything in one line, without DOCTYPE": {
    report: `<report name="shop">${shop.replaceAll("\n", "")}${lineCounter(1, 1)}</report>`,
    reads: covered(1, 2),
  },

  "gcovr, whose lines do not say whether they are covered": {
    report: `<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE report SYSTEM 'https://www.jacoco.org/jacoco/trunk/coverage/report.dtd'>
<report name="GCOVR report"><package name=""><sourcefile name="cart.cpp">
<line nr="3"/><line nr="5" mb="1" cb="1"/><line nr="7"/>${lineCounter(1, 2)}</sourcefile>${lineCounter(1, 2)}</package>
${lineCounter(1, 2)}</report>`,
    reads: covered(2, 3),
  },
  "gcovr 8.3, whose lines are in classes": {
    report: `<report><package name="src"><class name="cart_cpp" sourcefilename="cart.cpp"><lines><line nr="3"/>
</lines>${lineCounter(1, 2)}</class>${lineCounter(1, 2)}</package>${lineCounter(1, 2)}</report>`,
    reads: covered(2, 3),
  },

  "two totals": {
    report: report(shop + lineCounter(1, 1) + lineCounter(0, 100)),
    refused: ["unreadable-report", "has two totals: give one report a file"],
  },
  "a total that its lines contradict": {
    report: report(shop + lineCounter(0, 100)),
    refused: ["unreadable-report", "1 are listed as not covered, and the total has 0"],
  },
  "no line counter, as of classes without line numbers": {
    report: report(`<package name="shop"/><counter type="INSTRUCTION" missed="1" covered="1"/>`),
    refused: [
      "unreadable-report",
      "has no LINE counter for the whole report: compile with line numbers (javac -g:lines)",
    ],
  },
  "no counter at all, as without classes": {
    report: report('<sessioninfo id="ci-1" start="1" dump="2"/>'),
    refused: ["nothing-measured", "it has no counter, so JaCoCo was given no classes"],
  },
  "a counter that is no number": {
    report: report('<counter type="LINE" missed="?" covered="1"/>'),
    refused: ["unreadable-report", "missed of <counter> must be a number"],
  },
  "nothing in it": {
    report: report(lineCounter(0, 0)),
    refused: ["nothing-measured", "measured nothing: it has no lines"],
  },
  "a file that is cut off": {
    report: report(shop + lineCounter(1, 1)).replace("</report>\n", ""),
    refused: ["unreadable-report", "is cut off inside report"],
  },
});
