import { counted, filled, type HostileShapes } from "./shape.ts";

const jtl = "timeStamp,elapsed,label,responseCode,responseMessage,success\n";
const locust = "Type,Name,Request Count,Failure Count,Median Response Time,95%\n";
const measured =
  '"http_req_failed":{"rate":0,"passes":0,"fails":1},"http_req_duration":{"p(95)":1},"iterations":{"count":1}';
const nested =
  '"http_req_failed":{"values":{"rate":0,"passes":0,"fails":1}},"http_req_duration":{"values":{"p(95)":1}},"iterations":{"values":{"count":1}}';

export const hostileLoadTests: HostileShapes = {
  "jmeter-jtl: quotes": ["read", filled(jtl, '1,1,"a""""""",200,OK,true\n')],
  "jmeter-jtl: a quote that does not end": ["unreadable-report", filled(`${jtl}1,1,"`, 'a""')],
  "jmeter-jtl: cells without delimiters": ["unreadable-report", filled(jtl, '"" ')],
  "jmeter-jtl: many headers": ["read", filled(jtl, jtl, "1,1,a,200,OK,true\n")],
  "jmeter-jtl: a header after each row": ["read", counted(jtl, (n) => `${n},1,a,200,OK,true\n${jtl}`)],
  "jmeter-jtl: many columns": ["unreadable-report", counted(jtl.trimEnd(), (n) => `,${n}`, "\n1,1,a,200,OK,true\n")],
  "jmeter-statistics: many transactions": [
    "read",
    counted(
      '{"Total":{"transaction":"Total","sampleCount":1,"errorPct":0,"pct2ResTime":1}',
      (n) => `,"${n}":{"transaction":"${n}"}`,
      "}",
    ),
  ],
  "gatling-stats: groups in groups": [
    "read",
    filled(
      '{"stats":{"numberOfRequests":{"total":1,"ko":0},"percentiles3":{"total":1}},"contents":[0',
      `,${'{"contents":'.repeat(990)}0${"}".repeat(990)}`,
      "]}",
    ),
  ],
  "gatling-stats: many requests": [
    "read",
    counted(
      '{"stats":{"numberOfRequests":{"total":1,"ko":0},"percentiles3":{"total":1}},"contents":{"0":{}',
      (n) => `,"${n}":{"stats":{}}`,
      "}}",
    ),
  ],
  "locust-stats: empty rows": ["unreadable-report", filled(locust, "\n")],
  "locust-stats: many rows": [
    "unreadable-report",
    counted(locust, (n) => `GET,/${n},1,0,1,1\n`, ",Aggregated,1,0,1,1\n"),
  ],
  "artillery: many codes": [
    "read",
    counted(
      '{"aggregate":{"counters":{"http.requests":1,"http.responses":1',
      (n) => `,"http.codes.${n}":0`,
      '},"summaries":{"http.response_time":{"p95":1}}}}',
    ),
  ],
  "artillery: many errors": [
    "read",
    counted(
      '{"aggregate":{"counters":{"http.requests":1,"http.responses":1',
      (n) => `,"errors.${"e".repeat(1_000)}${n}":1`,
      '},"summaries":{"http.response_time":{"p95":1}}}}',
    ),
  ],
  "k6-summary-export: many metrics": ["read", counted(`{"metrics":{${measured}`, (n) => `,"${n}":{}`, "}}")],
  "k6-handle-summary: many metrics": ["read", counted(`{"metrics":{${nested}`, (n) => `,"${n}":{"values":{}}`, "}}")],
  "k6-handle-summary: a key that is escaped": [
    "read",
    filled(
      `{"metrics":{${nested}},"root_group":[0`,
      `,{"${"\\u0061".repeat(20)}":1,"${"a".repeat(19)}\\u0061":1}`,
      "]}",
    ),
  ],
  "k6-machine-readable: many metrics": [
    "read",
    counted(
      '{"metadata":{"k6Version":"1.5.0"},"results":{"metrics":[{"name":"a"}',
      (n) => `,{"name":"${n}"}`,
      ',{"name":"http_req_failed","values":{"rate":0,"matches":0,"total":1}},{"name":"http_req_duration","values":{"p(95)":1}}]}}',
    ),
  ],
};
