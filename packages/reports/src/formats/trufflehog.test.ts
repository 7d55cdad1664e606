import { testFormat } from "../../test/support/test-format.ts";
import { trufflehog } from "./trufflehog.ts";

const finding = (source: object, others: object = {}) => ({
  SourceMetadata: { Data: source },
  SourceID: 1,
  DetectorType: 17,
  DetectorName: "URI",
  Verified: false,
  Raw: "https://cart:hunter2@db.example",
  RawV2: "",
  Redacted: "https://cart:********@db.example",
  ...others,
});
const git = { Git: { commit: "0123456789abcdef", file: "settings.py", line: 4, repository: "https://git.example/x" } };
const log = (msg: string, others: object = {}) => ({
  level: "info-0",
  ts: "2026-01-05T10:00:00Z",
  logger: "trufflehog",
  msg,
  ...others,
});
const lines = (...values: object[]) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;

testFormat(
  trufflehog,
  {
    "no bytes, when the format is named": {
      report: "",
      options: { format: "trufflehog" },
      reads: { metrics: { secret_scan: { found: false, count: 0 } }, tool: "TruffleHog", notes: [] },
    },
    "no bytes": {
      report: "\n",
      options: { metric: "secret_scan" },
      refused: ["empty-report", "name the format: trufflehog"],
    },
    "one finding": {
      report: lines(finding(git)),
      reads: {
        metrics: { secret_scan: { found: true, count: 1 } },
        problem: { count: 1, details: [{ file: "settings.py", line: 4, description: "URI" }] },
        notes: ["0 of 1 verified; all count"],
      },
    },
    "every kind of source": {
      report: [
        finding({ Github: { link: "https://git.example/x/blob/1/a.py", file: "a.py", line: 0 } }, { Verified: true }),
        finding({ Filesystem: { file: "C:\\src\\b.py" } }),
        finding({ Docker: { image: "shop/cart", layer: "sha256:1", tag: "latest" } }),
        finding({ Postman: { link: "https://user:hunter2@api.example/1" } }),
        finding({}),
      ],
      reads: {
        problem: {
          count: 5,
          details: [
            { file: "a.py", line: 0 },
            { file: "C:\\src\\b.py" },
            { file: "shop/cart" },
            { file: "https://***@api.example/1" },
            { file: "(no file)" },
          ],
        },
        notes: ["1 of 5 verified; all count"],
      },
    },
    "findings between log lines": {
      report: `🐷🔑🐷  TruffleHog. Unearth your secrets.\n${lines(log("running source"), finding(git), log("finished scanning"))}`,
      reads: { problem: { count: 1 }, notes: ["0 of 1 verified; all count", "text around the JSON was left out"] },
    },
    "a log of a scan that found nothing": {
      report: `${JSON.stringify(log("finished scanning", { chunks: 7, bytes: 9305 }))}\n`,
      reads: { metrics: { secret_scan: { found: false } } },
    },
    "a log of a scan whose findings went elsewhere": {
      report: lines(log("finished scanning", { chunks: 7, verified_secrets: 2, unverified_secrets: 7 })),
      refused: ["unreadable-report", "its log says that it found 9, but it lists none"],
    },
    "a log of a scan that found nothing, with errors": {
      report: lines(
        log("encountered errors during scan", { level: "error" }),
        log("finished scanning", { chunks: 7, verified_secrets: 0, unverified_secrets: 0 }),
      ),
      reads: {
        metrics: { secret_scan: { found: false } },
        warnings: ["its log has 1 errors, so it may not have seen everything"],
      },
      appends: false,
    },
    "a log of two scans, of which one saw nothing": {
      report: lines(log("finished scanning", { chunks: 7 }), log("finished scanning", { chunks: 0 })),
      refused: ["nothing-measured", "has a log that counts no chunk scanned"],
    },
    "a log of a scan that did not finish": {
      report: lines(log("running source"), log("encountered errors during scan")),
      refused: ["failed-scan", "its log does not say that the scan finished, and it found nothing"],
    },
    "a line that is something else": {
      report: lines(finding(git), { stringsFound: [] }),
      refused: ["unreadable-report", "this looks like TruffleHog v3 JSONL, but record 2: DetectorName is missing"],
    },
  },
  { appends: true },
);
