import { expect, test } from "vitest";
import { covered } from "../../test/support/covered.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { mergeReadings, readReport } from "../index.ts";
import { openCover } from "./opencover.ts";

const summary = (visited: number | string, all: number | string) =>
  `<Summary numSequencePoints="${all}" visitedSequencePoints="${visited}" numBranchPoints="9" visitedBranchPoints="9" />`;
/** A method of one file, with the visits of its sequence points, each on a line of its own. */
const method = (visits: readonly number[], fileId = ' fileid="1"') => `
  <Class>${summary(99, 99)}<Methods><Method>${summary(99, 99)}<FileRef uid="1" /><SequencePoints>
    ${visits.map((vc, line) => `<SequencePoint vc="${vc}" sl="${line}" sc="3" el="${line}" ec="9"${fileId} />`).join("")}
  </SequencePoints></Method></Methods></Class>`;
const session = (total: string, ...classes: string[]) => `<?xml version="1.0" encoding="utf-8"?>
<CoverageSession>
  ${total}
  <Modules>
    <Module skippedDueTo="Filter" hash="0"><ModulePath>System.dll</ModulePath><Classes /></Module>
    <Module hash="1">
      <Files><File uid="1" fullPath="C:shopCart.cs" /></Files>
      <Classes>${classes.join("")}</Classes>
    </Module>
  </Modules>
</CoverageSession>`;

testFormat(openCover, {
  "the summary of the session, not those within": {
    report: session(summary(2, 3), method([1, 0, 7])),
    reads: { ...covered(2, 3), notes: ["sequence points are counted: OpenCover has no total of lines"] },
  },
  "points without a file of their own": {
    report: session(summary(1, 1), method([1], "")),
    reads: covered(1, 1),
  },

  "a session without a summary": {
    report: session("<Summar />"),
    refused: ["nothing-measured", "measured nothing: it has no <Summary> of the session"],
  },
  "nothing to cover": {
    report: session(summary(0, 0)),
    refused: ["nothing-measured", "measured nothing: it has no statements"],
  },
  "a number that is none": {
    report: session(summary("many", 3)),
    refused: ["unreadable-report", "visitedSequencePoints of <Summary> must be a number"],
  },
  "more covered than there is": {
    report: session(summary(4, 3)),
    refused: ["unreadable-report", "has more covered than there is"],
  },
});

test("the parts of a test run merge point by point", () => {
  const parts = [session(summary(1, 3), method([1, 0, 0])), session(summary(2, 3), method([1, 4, 0]))];
  const merged = mergeReadings(parts.map((part) => readReport(part, { metric: "unit_coverage" })));
  expect(merged).toMatchObject(covered(2, 3));
});
