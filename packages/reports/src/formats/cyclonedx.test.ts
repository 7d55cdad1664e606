import { testFormat } from "../../test/support/test-format.ts";
import { cycloneDx } from "./cyclonedx.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const found = (ratings: unknown, state?: string) => ({
  id: "CVE-2026-0001",
  ratings,
  ...(state && { analysis: { state } }),
  affects: [{ ref: "a" }, { ref: "b" }],
});
const bom = (vulnerabilities: unknown, type: string | undefined = "container", tools: unknown = undefined) => ({
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { tools, ...(type && { component: { type, name: "shop/cart:latest" } }) },
  components: [{ type: "library", name: "zlib" }],
  vulnerabilities,
});
const word = (severity: unknown) => ({ severity });
const score = (number: unknown, method = "CVSSv31", others: object = {}) => ({ score: number, method, ...others });

testFormat(cycloneDx, {
  "an image, by the gravest word of each vulnerability": {
    report: bom([found([word("low"), word("critical"), word("high")]), found([word("medium")]), found([word("none")])]),
    reads: { metric: "image_scan", metrics: { image_scan: { ...none, critical: 1, medium: 1, info: 1 } }, notes: [] },
  },
  "the tools, a list": {
    report: bom([found([word("low")])], "container", [{ vendor: "aquasecurity", name: "trivy", version: "0.48.1" }]),
    reads: { metrics: { image_scan: { ...none, low: 1 } }, tool: "trivy 0.48.1" },
  },
  "the tools, an object": {
    report: bom([found([word("low")])], "container", {
      components: [{ name: "grype", version: "0.41.0" }],
      services: [{ name: "db" }],
    }),
    reads: { tool: "grype 0.41.0, db" },
  },
  "scores where there is no word": {
    ...sast,
    report: bom([
      found([score(9.8), score(4)]),
      found([score(7, "CVSSv2"), score(9.9, "OWASP")]),
      found([score(0)]),
      found([score(9.8), word("unknown")]),
      found([score(9.8), word("info")]),
      found([score("many")]),
      found(undefined),
    ]),
    reads: { metrics: { sast: { ...none, critical: 1, high: 1, info: 1, unknown: 4 } } },
  },
  "a bill of materials with an empty list, as Trivy writes it without looking": {
    report: bom([], "container", [{ vendor: "aquasecurity", name: "trivy", version: "0.48.1" }]),
    options: { for: "score" },
    refused: ["nothing-measured", "lists no vulnerability that counts, and does not show that any was looked for"],
  },
  "an empty list, on the caller's word": {
    report: bom([]),
    options: { assumeScanned: true },
    reads: { metrics: { image_scan: { ...none, assumed_scanned: true } }, assumed: { scanned: true } },
  },
  "VEX: nothing but what does no harm, without components": {
    report: { ...bom([found([word("high")], "not_affected")]), components: undefined },
    refused: ["nothing-measured", "lists no vulnerability that counts"],
  },
  "nothing but what does no harm, with components": {
    report: bom([found([word("high")], "false_positive")]),
    refused: ["nothing-measured", "lists no vulnerability that counts"],
  },
  "states of an analysis": {
    ...sast,
    report: bom(
      ["exploitable", "in_triage", "not_affected", "false_positive", "resolved", "resolved_with_pedigree"].map(
        (state) => found([word("high")], state),
      ),
    ),
    reads: { metrics: { sast: { ...none, high: 2 } }, notes: ["4 that do no harm or are resolved, not counted"] },
  },
  "an application, which only its caller makes an image": {
    report: bom([found([word("high")])], "application"),
    options: { metric: "image_scan" },
    reads: { metrics: { image_scan: { ...none, high: 1 } }, notes: ["scanned was an application, not an image"] },
  },

  "a bill of materials of no image, and nobody says what for": {
    report: bom([found([word("low")])], "application"),
    options: { for: "score" },
    refused: ["undecided", "is not made for one metric, so name it: image_scan or sast"],
  },
  "vulnerabilities that are no list": {
    report: bom("none"),
    refused: ["unreadable-report", "vulnerabilities must be a list"],
  },
  "a bill of materials without vulnerabilities": {
    report: { ...bom(undefined) },
    refused: ["unknown-format", "a CycloneDX bill of materials, not the findings"],
  },
});
