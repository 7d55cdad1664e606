import { testFormat } from "../../test/support/test-format.ts";
import { zapXml } from "./zap-xml.ts";

const none = { high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const alert = (risk: string, confidence = "2") => `
    <alertitem>
      <pluginid>10038</pluginid>
      <alert>Content Security Policy Header Not Set</alert>
      ${risk}
      <confidence>${confidence}</confidence>
      <desc>&lt;p&gt;It is not set.&lt;/p&gt;</desc>
      <instances><instance><uri>http://shop.example/?a=1&amp;b=2</uri><riskcode>3</riskcode></instance></instances>
    </alertitem>`;
const site = (...alerts: string[]) => `
  <site name="http://shop.example" port="80" ssl="false"><alerts>${alerts.join("")}</alerts></site>`;
const report = (body: string, prolog = '<?xml version="1.0"?>') =>
  `${prolog}\n<OWASPZAPReport programName="ZAP" version="2.16.0" generated="">${body}\n</OWASPZAPReport>\n`;

testFormat(zapXml, {
  "a site without alerts": {
    report: report(site()),
    reads: { metric: "dast", metrics: { dast: none }, tool: "ZAP 2.16.0", notes: [] },
  },
  "one alert": {
    report: report(site(alert("<riskcode>2</riskcode>"))),
    reads: { metrics: { dast: { ...none, medium: 1 } } },
  },
  "every risk, on two sites": {
    report: report(
      site(...[0, 1, 2, 3].map((code) => alert(`<riskcode>${code}</riskcode>`))) +
        site(alert("<riskcode> 3 </riskcode>"), alert("<riskcode><![CDATA[3]]></riskcode>"), alert("")),
    ),
    reads: { metrics: { dast: { high: 3, medium: 1, low: 1, info: 1, unknown: 1 } } },
  },
  "false positives": {
    report: report(site(alert("<riskcode>3</riskcode>", "0"), alert("<riskcode>1</riskcode>"))),
    reads: { metrics: { dast: { ...none, low: 1 } }, notes: ["1 marked as false positives, not counted"] },
  },
  "an external DTD, which is not fetched": {
    report: report(site(), '<!DOCTYPE OWASPZAPReport SYSTEM "http://127.0.0.1:9/zap.dtd">'),
    reads: { metrics: { dast: none } },
  },
  "an entity of its own, which is not expanded": {
    report: report(
      `<site><alerts><alertitem><riskcode>&three;</riskcode></alertitem></alerts></site>`,
      '<!DOCTYPE OWASPZAPReport [<!ENTITY a "3"><!ENTITY three "&a;&a;&a;">]>',
    ),
    refused: ["unreadable-report", "this looks like ZAP XML, but is not well-formed XML"],
  },
  "no site": { report: report(""), refused: ["nothing-measured", "lists no site with its alerts"] },
});
