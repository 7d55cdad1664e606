import { expect } from "vitest";
import { testFormat } from "../../test/support/test-format.ts";
import { spotBugs } from "./spotbugs.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const bug = (category: string, priority: string) => `
  <BugInstance type="SQL_INJECTION_JDBC" priority="${priority}" rank="12" abbrev="SECSQLIJDBC" category="${category}">
    <Class classname="shop.Cart"><SourceLine classname="shop.Cart" start="15" sourcefile="Cart.java"/></Class>
  </BugInstance>`;
const report = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?>
<BugCollection version="4.8.3" sequence="0" timestamp="1631172733365" release="">${inside}
</BugCollection>`;
const summary = (classes: number) => `
  <FindBugsSummary total_classes="${classes}" total_bugs="0"><PackageStats package="shop" total_bugs="0"/></FindBugsSummary>`;
const project = '<Project projectName="shop"><Jar>target/classes</Jar></Project>';
const plugin = (enabled: boolean) => `<Plugin id="com.h3xstream.findsecbugs" enabled="${enabled}"/>`;
const secureProject = project.replace("</Project>", `${plugin(true)}</Project>`);
const profile = (detector: string) =>
  summary(7).replace(
    "<PackageStats",
    `<FindBugsProfile><ClassProfile name="${detector}" totalMilliseconds="3"/></FindBugsProfile><PackageStats`,
  );

testFormat(spotBugs, {
  "bugs of the category SECURITY by priority, whatever their rank": {
    report: report(bug("SECURITY", "1") + bug("SECURITY", "2") + bug("SECURITY", "2") + bug("SECURITY", "3")),
    reads: { metric: "sast", metrics: { sast: { ...none, high: 1, medium: 2, low: 1 } }, tool: "SpotBugs 4.8.3" },
  },
  "bugs of all other categories": {
    report: report(bug("STYLE", "1") + bug("MALICIOUS_CODE", "1") + bug("SECURITY", "4") + summary(7)),
    reads: {
      metrics: { sast: { ...none, unknown: 1 } },
      notes: expect.arrayContaining(["2 bugs of other categories than SECURITY, not counted"]),
    },
  },
  "patterns, which are no bugs": {
    report: report(
      `${profile("com.h3xstream.findsecbugs.xss.XssServletDetector")}<BugPattern type="XSS" abbrev="XSS" category="SECURITY"><Details>d</Details></BugPattern>`,
    ),
    reads: { metrics: { sast: none }, evidence: "detectors of Find Security Bugs" },
  },
  "no bugs in what is named": { report: report(secureProject), reads: { metrics: { sast: none } } },
  "equal bugs, which it lists once and counts each": {
    report: report(bug("SECURITY", "1") + summary(7).replaceAll('total_bugs="0"', 'total_bugs="3"')),
    reads: { metrics: { sast: { ...none, high: 1 } } },
  },
  "classes that were missing": {
    report: report(
      `${secureProject}${summary(7)}<Errors errors="1" missingClasses="1"><Error/><MissingClass>a.B</MissingClass></Errors>`,
    ),
    reads: { warnings: ["2 classes were missing or could not be analysed"] },
  },

  "bugs that are lost": {
    report: report(secureProject + summary(7).replaceAll('total_bugs="0"', 'total_bugs="3"')),
    refused: ["unreadable-report", "total_bugs of <FindBugsSummary> says that it found 3, but it lists none"],
  },
  "no bugs without the plugin that looks for vulnerabilities": {
    report: report(project + summary(7)),
    refused: ["nothing-measured", "does not show that the detectors of Find Security Bugs ran"],
  },
  "bugs without this plugin": {
    report: report(bug("STYLE", "1") + profile("edu.umd.cs.findbugs.detect.DumbMethods")),
    refused: ["nothing-measured", "does not show that the detectors of Find Security Bugs ran"],
  },
  "this plugin switched off": {
    report: report(project.replace("</Project>", `${plugin(false)}</Project>`) + summary(7)),
    refused: ["nothing-measured", "does not show that the detectors of Find Security Bugs ran"],
  },
  "no bugs in nothing": {
    report: report(""),
    refused: ["nothing-measured", "this looks like SpotBugs XML, but names nothing that was analysed"],
  },
  "no classes": {
    report: report(project + summary(0)),
    refused: ["nothing-measured", "names nothing that was analysed"],
  },
});
