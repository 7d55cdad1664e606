import { testFormat } from "../../test/support/test-format.ts";
import { locustStats } from "./locust-stats.ts";

const header = "Type,Name,Request Count,Failure Count,Median Response Time,Requests/s,50%,95%,99%,100%";
const report = (...rows: string[]) => `${[header, ...rows].join("\n")}\n`;
const home = "GET,/,8,2,100.0,1.5,100,180,200,200";
const total = ",Aggregated,8,2,110.0,3.0,110,240,300,300";
const reading = {
  metrics: { stress_test: { error_rate: 0.25, p95_ms: 240, checks_pct: 75 } },
  tool: "Locust",
  notes: ["checks_pct is the share of requests that passed: Locust has no checks"],
};

testFormat(locustStats, {
  "the row of all requests": { report: report(home, total), reads: reading },
  "a request that is called like the total": {
    report: report("GET,Aggregated,4,2,100.0,1.5,100,999,999,999", '"GET","Total, all",4,0,1,1,1,1,1,1', total),
    reads: reading,
  },
  "old names of the columns and the total": {
    report: `"Type","Name","# requests","# failures","Median response time","95%","99%","100%"
"GET","/",8,2,100,180,200,200
"None","Total",8,2,110,240,300,300
`,
    reads: reading,
  },

  "no requests": {
    report: report(",Aggregated,0,0,0,0,N/A,N/A,N/A,N/A"),
    refused: ["nothing-measured", "measured nothing: it has no requests"],
  },
  "requests without a percentile": {
    report: report(",Aggregated,8,2,0,0,N/A,N/A,N/A,N/A"),
    refused: ["unreadable-report", "has no 95th percentile of the response time: no request was answered"],
  },
  "the history of a run": {
    report: "Timestamp,User Count,Type,Name,Requests/s,95%,Total Request Count\n1,1,,Aggregated,1,1,1\n",
    refused: ["unreadable-report", "is the history of a run: give PREFIX_stats.csv instead"],
  },
  "the history as old versions wrote it": {
    report: '"Type","Name","Timestamp","# requests","# failures","95%"\n"None","Aggregated","1",8,2,240\n',
    refused: ["unreadable-report", "is the history of a run: give PREFIX_stats.csv instead"],
  },
  "versions without percentiles": {
    report: '"Method","Name","# requests","# failures"\n"None","Total",8,2\n',
    refused: ["unreadable-report", "has no column 95%: Locust writes it since 0.13.4"],
  },
  "a file that ends before the total": {
    report: report(home),
    refused: ["unreadable-report", "is cut off: it has no row Aggregated"],
  },
  "a file that ends within the total": {
    report: report(home, ",Aggregated,8,2"),
    refused: ["unreadable-report", "is cut off or malformed: row 3 has 4 cells, the header 10"],
  },
  "two runs in one file": {
    report: report(home, total, home, total),
    refused: ["unreadable-report", "has a second total in row 5: give one run a file"],
  },
  "more failed than there were": {
    report: report(total.replace("8,2", "2,8")),
    refused: ["unreadable-report", "the share of failed requests must be from 0 to 1"],
  },
  "a number that is none": {
    report: report(total.replace("8,2", "8,x")),
    refused: ["unreadable-report", "Failure Count in row 2 must be a number"],
  },
});
