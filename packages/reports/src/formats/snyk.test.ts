import { testFormat } from "../../test/support/test-format.ts";
import { snyk } from "./snyk.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };
const issue = (severity: string, others: object = {}) => ({
  id: "SNYK-DEBIAN12-ZLIB-0001",
  severity,
  packageManager: "debian:12",
  from: ["docker-image|cart@1.4.2", "zlib@1.2.11"],
  ...others,
});
const project = (vulnerabilities: object[], others: object = {}) => ({
  vulnerabilities,
  ok: vulnerabilities.length === 0,
  dependencyCount: 101,
  packageManager: "deb",
  uniqueCount: new Set(vulnerabilities.map((issue) => Object(issue).id)).size,
  path: "shop/cart:1.4.2",
  ...others,
});

testFormat(snyk, {
  "no issues": {
    report: project([]),
    reads: { metric: "image_scan", metrics: { image_scan: none }, tool: "Snyk", notes: [] },
  },
  "one issue": { report: project([issue("high")]), reads: { metrics: { image_scan: { ...none, high: 1 } } } },
  "an issue counts once, however many dependency paths lead to it": {
    report: project([
      issue("critical", { packageName: "zlib", version: "1.2.11" }),
      issue("critical", { packageName: "zlib", version: "1.2.11", from: ["cart", "curl", "zlib"] }),
      issue("critical", { packageName: "zlib", version: "1.2.12" }),
      issue("medium", { id: "a" }),
      issue("low", { id: "b" }),
      issue("novel", { id: undefined }),
      issue("novel", { id: undefined }),
    ]),
    reads: {
      metrics: { image_scan: { critical: 2, high: 0, medium: 1, low: 1, unknown: 2 } },
      notes: [
        "6 vulnerabilities by 7 dependency paths, each counted once",
        "2 of unknown severity, not scored (--assume-severity counts them)",
      ],
    },
  },
  "an issue of the image and of an application in it": {
    report: project([issue("low")], { applications: [project([issue("low")])] }),
    reads: { metrics: { image_scan: { ...none, low: 1 } } },
  },
  "a project, which is no image": {
    report: project([issue("low")], { packageManager: "npm", projectName: "cart" }),
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, low: 1 } }, notes: ["scanned was a project, not an image"] },
  },
  "a project, and nobody says what for": {
    report: project([], { packageManager: "npm", projectName: "cart" }),
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "nobody knows what, and nobody says what for": {
    report: project([], { packageManager: "npm", path: undefined }),
    options: { for: "score" },
    refused: ["undecided", "so name it: image_scan"],
  },
  "an image, by what Snyk says of it": {
    report: project([issue("low")], { packageManager: "npm", docker: { baseImage: "node" } }),
    reads: { metric: "image_scan", notes: [] },
  },
  "an image and the applications in it": {
    report: project([issue("low")], {
      applications: [project([issue("high", { id: "a" }), issue("medium", { id: "b" })]), project([])],
    }),
    reads: { metrics: { image_scan: { ...none, high: 1, medium: 1, low: 1 } } },
  },
  "several projects": {
    report: [project([issue("high")]), project([]), project([issue("high")], { projectName: "shop" })],
    reads: { metrics: { image_scan: { ...none, high: 2 } } },
  },
  "a project without dependencies beside one that has some": {
    report: [project([], { dependencyCount: 0 }), project([])],
    reads: { metrics: { image_scan: none } },
  },
  "an image without packages, and an application in it": {
    report: project([], { dependencyCount: 0, applications: [project([])] }),
    reads: { metrics: { image_scan: none } },
  },
  "license issues": {
    report: project([issue("high", { type: "license" })]),
    reads: { metrics: { image_scan: none }, notes: ["1 license issues, not counted"] },
  },
  "a scan that failed": {
    report: { ok: false, error: "Could not detect supported target files", path: "/src" },
    refused: ["failed-scan", "this looks like Snyk JSON, but the scan ended with an error"],
  },
  "one of two scans that failed": {
    report: [project([]), { ok: false, error: "no such image", path: "/src" }],
    refused: ["failed-scan", "record 2: the scan ended with an error"],
  },
  "issues that are not listed": {
    report: project([], { ok: false }),
    refused: ["unreadable-report", "this looks like Snyk JSON, but ok says that there are issues, but it lists none"],
  },
  "more issues in an application than are listed": {
    report: project([issue("low", { id: "b" })], { applications: [project([issue("low")], { uniqueCount: 2 })] }),
    refused: ["unreadable-report", "applications[0].uniqueCount says that it found 2, but it lists only 1"],
  },
  "issues of an image that its application lists": {
    report: project([], { ok: false, uniqueCount: 1, applications: [project([issue("low")])] }),
    reads: { metrics: { image_scan: { ...none, low: 1 } } },
  },
  "no issues, of nobody knows what": {
    report: { ok: true, vulnerabilities: [] },
    options: { metric: "image_scan" },
    refused: ["nothing-measured", "this looks like Snyk JSON, but counts no dependencies"],
  },
  "without vulnerabilities": {
    report: [project([]), { ok: true, dependencyCount: 3 }],
    refused: ["unreadable-report", "record 2: vulnerabilities must be a list"],
  },
});
