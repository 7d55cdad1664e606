import { testFormat } from "../../test/support/test-format.ts";
import { zapJson } from "./zap-json.ts";

const none = { high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const alert = (riskcode: unknown, confidence: unknown = "2") => ({
  pluginid: "10038",
  alert: "Content Security Policy Header Not Set",
  riskcode,
  confidence,
  desc: "<p>It is not set.</p>",
  instances: [{ uri: "http://shop.example/" }, { uri: "http://shop.example/cart" }],
  count: "2",
});
const site = (alerts?: object[]) => ({ "@name": "http://shop.example", "@port": "80", ...(alerts && { alerts }) });
const report = (sites: unknown) => ({ "@programName": "ZAP", "@version": "2.16.0", "@generated": "", site: sites });

testFormat(zapJson, {
  "a site without alerts": {
    report: report([site([])]),
    reads: { metric: "dast", metrics: { dast: none }, tool: "ZAP 2.16.0", notes: [] },
  },
  "one kind of alert, seen twice": {
    report: report([site([alert("3")])]),
    reads: { metrics: { dast: { ...none, high: 1 } } },
  },
  "every risk, on two sites": {
    report: report([site(["0", "1", "2", "3"].map((code) => alert(code))), site([alert("3"), alert(2), alert("?")])]),
    reads: { metrics: { dast: { high: 2, medium: 2, low: 1, info: 1, unknown: 1 } } },
  },
  "false positives": {
    report: report([site([alert("3", "0"), alert("1", 0), alert("2", "3")])]),
    reads: { metrics: { dast: { ...none, medium: 1 } }, notes: ["2 marked as false positives, not counted"] },
  },
  "the single site of an old version": {
    report: { "@version": "2.7.0", "@generated": "", site: site([alert("2")]) },
    reads: { metrics: { dast: { ...none, medium: 1 } }, tool: "ZAP 2.7.0" },
  },
  "no site": {
    report: report([]),
    refused: ["nothing-measured", "this looks like ZAP JSON, but lists no site with its alerts"],
  },
  "alerts that are no list": {
    report: report([{ ...site(), alerts: 3 }]),
    refused: ["unreadable-report", "site[0].alerts must be a list"],
  },
});
