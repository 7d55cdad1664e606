import { testFormat } from "../../test/support/test-format.ts";
import { jmeterJtl } from "./jmeter-jtl.ts";

const header = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,bytes,success";
const row = (elapsed: number | string, success: boolean | string = true, message = "OK") =>
  `1760000000000,${elapsed},GET /,200,${message},Users 1-1,512,${success}`;
const report = (...rows: string[]) => `${[header, ...rows].join("\n")}\n`;
const noChecks = "checks_pct is the share of requests that passed: JMeter has no checks";

testFormat(
  jmeterJtl,
  {
    "failed samples, and the 95th percentile of all": {
      report: report(row(300), row(100, false), row(400), row(200)),
      reads: {
        metrics: { stress_test: { error_rate: 0.25, p95_ms: 400, checks_pct: 75 } },
        tool: "JMeter",
        notes: [noChecks],
      },
    },
    "the 95th of a hundred samples": {
      report: report(...Array.from({ length: 100 }, (_, index) => row(100 - index))),
      reads: { metrics: { stress_test: { error_rate: 0, p95_ms: 95.95, checks_pct: 100 } } },
    },
    "commas, quotes and line breaks in quoted cells": {
      report: report(row(100, true, '"Said ""no, thanks"",\nand left"'), row(200, false, '"a, b"')),
      reads: { metrics: { stress_test: { error_rate: 0.5, p95_ms: 200, checks_pct: 50 } } },
    },
    "the delimiter of old versions": {
      report: report(row(100), row(200)).replaceAll(",", "|"),
      reads: { metrics: { stress_test: { error_rate: 0, p95_ms: 200, checks_pct: 100 } } },
    },
    "tabs, and other columns in another order": {
      report: "success\tlabel\telapsed\nfalse\t日本\t7\ntrue\tüber\t5\n",
      reads: { metrics: { stress_test: { error_rate: 0.5, p95_ms: 7, checks_pct: 50 } } },
    },
    "two runs put together, each with its header": {
      report: report(row(100)) + report(row(200)),
      reads: { metrics: { stress_test: { error_rate: 0, p95_ms: 200, checks_pct: 100 } } },
    },
    "a run from Windows and one from Linux put together": {
      report: report(row(100)).replaceAll("\n", "\r\n") + report(row(200)),
      reads: { metrics: { stress_test: { error_rate: 0, p95_ms: 200, checks_pct: 100 } } },
    },
    "rows of transaction controllers repeat what is counted already": {
      report: report(
        row(100),
        row(300, false, '"Number of samples in transaction : 1, number of failing samples : 1"'),
      ),
      reads: {
        metrics: { stress_test: { error_rate: 0, p95_ms: 100, checks_pct: 100 } },
        notes: [noChecks, "1 rows of transaction controllers, not counted"],
      },
    },
    "nothing but transaction controllers": {
      report: report(row(300, false, '"Number of samples in transaction : 1, number of failing samples : 1"')),
      refused: ["nothing-measured", "measured nothing: all its rows are of transaction controllers; let them write"],
    },

    "no samples": {
      report: report(),
      refused: ["nothing-measured", "measured nothing: it has no requests"],
    },
    "no header": {
      report: `${row(100)}\n${row(200)}\n`,
      refused: ["unreadable-report", "has no header line: write one (jmeter.save.saveservice.print_field_names=true)"],
    },
    "no column that says what failed": {
      report: "timeStamp,elapsed,label\n1760000000000,100,GET /\n",
      refused: ["unreadable-report", "has no column success: save it (jmeter.save.saveservice.successful=true)"],
    },
    "results as XML": {
      report: '<?xml version="1.0"?><testResults version="1.2"><httpSample t="1" s="true"/></testResults>',
      refused: ["unreadable-report", "is XML: save it as CSV (jmeter.save.saveservice.output_format=csv)"],
    },
    "a row that is cut off": {
      report: report(row(100), "1760000000000,200,GET /,200,O"),
      refused: ["unreadable-report", "is cut off or malformed: row 3 has 5 cells, the header 8"],
    },
    "a quote that is cut off": {
      report: report(row(100), '1760000000000,200,"GET'),
      refused: ["unreadable-report", "is cut off or malformed at a quote in row 3"],
    },
    "a row with a cell too many": {
      report: report(row(100, true, "not, quoted")),
      refused: ["unreadable-report", "is cut off or malformed: row 2 has 9 cells, the header 8"],
    },
    "neither passed nor failed": {
      report: report(row(100, "")),
      refused: ["unreadable-report", "success in row 2 must be true or false"],
    },
    "a time below 0": {
      report: report(row(-1)),
      refused: ["unreadable-report", "elapsed in row 2 must be a whole number"],
    },
    "a time that is no number": {
      report: report(row("NaN")),
      refused: ["unreadable-report", "elapsed in row 2 must be a number"],
    },
    "times that the service does not take": {
      report: report(row(86_400_001)),
      refused: [
        "unreadable-report",
        "the 95th percentile of the response time in milliseconds must be from 0 to 86400000",
      ],
    },
  },
  { appends: true },
);
