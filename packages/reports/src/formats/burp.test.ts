import { testFormat } from "../../test/support/test-format.ts";
import { burp } from "./burp.ts";

const none = { high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
let serial = 7_121_655;
const issue = (severity: string) => `
  <issue>
    <serialNumber>${serial++}</serialNumber>
    <name>SQL injection</name>
    <path><![CDATA[/cart]]></path>
    ${severity}
    <confidence>Firm</confidence>
    <requestresponse><request base64="true"><![CDATA[R0VUIC8=]]></request><response><![CDATA[
{"results": [], "errors": []}
<severity>High</severity>]]></response></requestresponse>
  </issue>`;
const said = (...severities: string[]) => severities.map((word) => issue(`<severity>${word}</severity>`)).join("");
const report = (issues: string) => `<?xml version="1.0"?>
<!DOCTYPE issues [
<!ELEMENT issues (issue*)>
<!ATTLIST issues burpVersion CDATA "">
]>
<issues burpVersion="2026.4" exportTime="Sat Sep 13 22:39:44 UTC 2025">${issues}
</issues>`;

testFormat(burp, {
  "issues by severity": {
    report: report(said("High", "High", "Medium", "Low", "Information", "Other") + issue("")),
    reads: {
      metric: "dast",
      metrics: { dast: { high: 2, medium: 1, low: 1, info: 1, unknown: 2 } },
      tool: "Burp 2026.4",
    },
  },
  "false positives": {
    report: report(said("False positive", "Low")),
    reads: { metrics: { dast: { ...none, low: 1 } }, notes: ["1 marked as false positives, not counted"] },
  },

  "no issue": {
    report: report(""),
    refused: ["nothing-measured", "has no issue, so it does not show that anything was visited"],
  },
  "the history of its proxy": {
    report: '<?xml version="1.0"?><!DOCTYPE items [<!ELEMENT items (item*)>]><items burpVersion="1"><item/></items>',
    refused: ["unknown-format", "the proxy history of Burp"],
  },
});
