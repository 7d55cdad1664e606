import { testFormat } from "../../test/support/test-format.ts";
import { kics } from "./kics.ts";

const query = (severity: string, query_name: string, ...lines: number[]) => ({
  query_name,
  query_id: "00000000-0000-0000-0000-000000000000",
  severity,
  files: lines.map((line) => ({ file_name: "infra/main.tf", line, search_key: "aws_s3_bucket[carts]" })),
});
const report = (queries: unknown, others: object = {}) => ({
  kics_version: "v2.1.3",
  files_scanned: 4,
  files_parsed: 4,
  files_failed_to_scan: 0,
  queries_total: 1000,
  severity_counters: { HIGH: 0 },
  queries,
  ...others,
});

testFormat(kics, {
  "no queries that matched": {
    report: report([]),
    options: { for: "problem" },
    reads: { problem: { count: 0, details: [] }, tool: "KICS v2.1.3" },
  },
  "one query in one place": {
    report: report([query("MEDIUM", "S3 Bucket Without Versioning", 3)]),
    reads: {
      problem: {
        count: 1,
        severity: "medium",
        details: [{ file: "infra/main.tf", line: 3, description: "S3 Bucket Without Versioning" }],
      },
    },
  },
  "queries in several places, secrets among them": {
    report: report([
      query("HIGH", "Passwords And Secrets - Generic Password", 3, 5),
      query("CRITICAL", "Public Bucket", 9),
      query("TRACE", "Resource Not Tagged", 1),
      query("INFO", "Name Not Snake Case", 1),
    ]),
    reads: {
      severities: { critical: 1, high: 2, medium: 0, low: 0, info: 2, unknown: 0 },
      problem: { count: 5, severity: "critical" },
      problems: {
        misconfigurations: { count: 3 },
        secrets: { count: 2, severity: "high", details: [{ line: 3 }, { line: 5 }] },
      },
      metrics: { secret_scan: { found: true, count: 2 } },
    },
  },
  "a bill of materials": {
    report: report([query("LOW", "Public Bucket", 9)], {
      severity_counters: { LOW: 1, TRACE: 2 },
      total_counter: 1,
      total_bom_resources: 2,
      bill_of_materials: [query("TRACE", "BOM - AWS S3 Buckets", 3, 5)],
    }),
    reads: { problem: { count: 1, severity: "low" } },
  },
  "files that were not scanned": {
    report: report([], { files_failed_to_scan: 1 }),
    reads: { warnings: ["1 files could not be scanned"] },
  },
  "queries that are lost": {
    report: report([], { total_counter: 5 }),
    options: { for: "problem" },
    refused: ["unreadable-report", "total_counter says that it found 5, but it lists none"],
  },
  "no files at all": {
    report: report([], { files_scanned: 0 }),
    options: { for: "problem" },
    refused: ["nothing-measured", "does not show that misconfigurations were looked for: no file was scanned"],
  },
  "no secrets, of which it does not say that it looked for them": {
    report: report([query("LOW", "Resource Not Tagged", 1)]),
    options: { metric: "secret_scan" },
    refused: ["nothing-measured", "does not show that secrets were looked for"],
  },
  "a score of nobody knows which metric": {
    report: report([]),
    options: { for: "score" },
    refused: ["nothing-measured", "does not show that secrets were looked for"],
  },
  "no queries, and not how many files were scanned": {
    report: report([], { files_scanned: undefined }),
    options: { for: "problem" },
    refused: ["nothing-measured", "no file was scanned"],
  },
  "nothing but queries": {
    report: { queries: [query("LOW", "Resource Not Tagged", 1)] },
    reads: { problem: { count: 1, severity: "low" }, tool: "KICS" },
  },
  "without queries": {
    report: report(undefined),
    refused: ["unreadable-report", "this looks like KICS JSON, but queries must be a list"],
  },
});
