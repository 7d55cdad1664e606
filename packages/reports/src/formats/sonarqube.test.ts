import { testFormat } from "../../test/support/test-format.ts";
import { sonarqube } from "./sonarqube.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
let issues = 0;
const issue = (severity: string, others: object = {}) => ({
  key: `AZ${issues++}`,
  rule: "typescript:S2068",
  component: "shop:src/cart.ts",
  severity,
  type: "VULNERABILITY",
  status: "OPEN",
  ...others,
});
const page = (issues: object[], total = issues.length) => ({
  total,
  p: 1,
  ps: 100,
  paging: { pageIndex: 1, pageSize: 100, total },
  issues,
  components: [],
});
const impact = (softwareQuality: string, severity: string) => ({
  ...issue("MAJOR"),
  type: undefined,
  impacts: [{ softwareQuality, severity }],
});

testFormat(sonarqube, {
  "no issues": {
    report: page([]),
    reads: {
      metric: "sast",
      metrics: { sast: none },
      tool: "SonarQube",
      notes: ["no issue at all, as SonarQube also answers of a project that it does not know"],
    },
  },
  "one vulnerability": { report: page([issue("BLOCKER")]), reads: { metrics: { sast: { ...none, critical: 1 } } } },
  "every severity": {
    report: page(["BLOCKER", "CRITICAL", "MAJOR", "MINOR", "INFO"].map((severity) => issue(severity))),
    reads: { metrics: { sast: { critical: 1, high: 1, medium: 1, low: 1, unknown: 1 } } },
  },
  "bugs, code smells and what is resolved": {
    report: page([
      issue("MAJOR"),
      issue("BLOCKER", { type: "BUG" }),
      issue("BLOCKER", { type: "CODE_SMELL" }),
      issue("BLOCKER", { status: "RESOLVED" }),
      issue("BLOCKER", { status: "CLOSED" }),
    ]),
    reads: {
      metrics: { sast: { ...none, medium: 1 } },
      notes: ["2 resolved or closed, not counted", "2 bugs and code smells, not counted"],
    },
  },
  "impacts instead of a type": {
    report: page([
      impact("SECURITY", "BLOCKER"),
      impact("SECURITY", "HIGH"),
      impact("SECURITY", "MEDIUM"),
      impact("MAINTAINABILITY", "HIGH"),
    ]),
    reads: { metrics: { sast: { ...none, critical: 1, high: 1, medium: 1 } } },
  },
  "both of two pages, one after the other": {
    report: `${JSON.stringify(page([issue("MAJOR")], 2))}\n${JSON.stringify(page([issue("MINOR")], 2))}`,
    reads: { metrics: { sast: { ...none, medium: 1, low: 1 } } },
  },
  "an issue on two pages, with all others": {
    report: [page([issue("MAJOR", { key: "A" })], 2), page([issue("MAJOR", { key: "A" }), issue("MINOR")], 2)],
    reads: { metrics: { sast: { ...none, medium: 1, low: 1 } }, notes: ["1 repeated, counted once"] },
  },
  "pages 1, 2 and 2 of 3": {
    report: ["A", "B", "B"].map((key, index) => ({ ...page([issue("MAJOR", { key })], 3), p: index })),
    refused: ["unreadable-report", "it has 2 of 3 issues; put all pages into the file"],
  },
  "one of two pages": {
    report: page([issue("MAJOR")], 2),
    refused: ["unreadable-report", "it has 1 of 2 issues; put all pages into the file"],
  },
  "as many issues as paging says, whatever the total beside it": {
    report: { ...page([issue("MAJOR")], 1), total: 2 },
    reads: { metrics: { sast: { ...none, medium: 1 } } },
  },
  "fewer issues than the total of paging": {
    report: { ...page([issue("MAJOR")], 2), total: 1 },
    refused: ["unreadable-report", "it has 1 of 2 issues; put all pages into the file"],
  },
  "a total beside paging that has none": {
    report: { ...page([issue("MAJOR")], 1), paging: { pageIndex: 1 }, total: 2 },
    refused: ["unreadable-report", "it has 1 of 2 issues; put all pages into the file"],
  },
  "issues that are no list": {
    report: { ...page([]), issues: null },
    refused: ["unreadable-report", "issues must be a list"],
  },
});
