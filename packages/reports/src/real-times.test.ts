import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formats, type ReadOptions, readReport } from "./index.ts";

const samples = new URL("../../../../shared/samples/dev/", import.meta.url);
/** A moment after all of these reports. */
const now = Date.parse("2027-01-01T00:00:00Z");
const image: ReadOptions = { metric: "image_scan", assumeScanned: true };
const source: ReadOptions = { metric: "sast", assumeScanned: true };

/** When the tool ran, of a report of each format that states it, as its documents have it. */
const times: Readonly<Record<string, readonly [path: string, measuredAt: string, options?: ReadOptions]>> = {
  artillery: ["artillery_json/weight_tracker_function_errors.json", "2025-06-30T01:38:29.112Z"],
  bandit: ["bandit_json/dd_many_vulns.json", "2020-12-30T09:35:48.000Z"],
  brakeman: ["brakeman_json/dd_no_finding.json", "2020-04-12T03:16:27.000Z"],
  burp: ["burp_xml/dd_seven_findings.xml", "2014-09-13T22:35:04.000Z"],
  clover: ["clover_xml/bitcoin_php_phpunit_2014.xml", "2014-11-19T19:26:00.000Z"],
  cobertura: ["cobertura_xml/irongut_bom_crlf.xml", "2021-04-10T00:21:57.000Z"],
  coveragepy: ["coveragepy_json/envwizard_7.3.2.json", "2025-11-02T15:15:01.319Z"],
  cyclonedx: ["cyclonedx_vulnerabilities/dd_grype_0.41.0_log4j.json", "2022-07-22T08:45:32.000Z", image],
  "dependency-check-json": ["dependency_check/npm_audit_error.json", "2023-05-15T14:46:38.647Z", source],
  "dependency-check-xml": ["dependency_check/dd_multiple.xml", "2016-11-05T18:52:15.748Z", source],
  "detect-secrets": ["detect_secrets_json/dd_many_findings.json", "2021-05-19T10:40:18.000Z"],
  gitlab: ["gitlab_container_scanning/rlp_proxy_zero_14.1.2.json", "2022-11-15T10:17:42.000Z"],
  grype: ["grype_json/am_wo_description_0.71.0.json", "2023-10-18T11:08:28.564Z", image],
  jacoco: ["jacoco_xml/cm_big.xml", "2018-03-21T09:44:54.809Z"],
  "jmeter-jtl": ["jmeter_jtl_csv/quality_time.csv", "2021-12-01T02:27:52.655Z"],
  nuclei: ["nuclei_jsonl/dd_many_findings_v2_old.jsonl", "2021-05-20T08:11:01.667Z"],
  safety: ["safety_json/gopher_mcp_zero_2.3.5.json", "2025-09-16T22:06:06.000Z", source],
  simplecov: ["simplecov_resultset/hw3_multi.json", "2018-11-17T00:34:11.000Z"],
  spotbugs: ["spotbugs_xml/dd_version_4.4.0_no_security.xml", "2021-09-09T07:33:21.721Z", source],
  trivy: ["trivy_json/golden_npm_with_suppressed.json", "2024-09-09T07:21:09.230Z", image],
  "zap-json": ["zap_json/inno_devops_intro_2.16.0.json", "2026-07-08T17:59:27.581Z"],
  "zap-xml": ["zap_xml/dd_2.16.1_req_resp.xml", "2025-06-22T04:04:14.000Z"],
};

/** The formats that state a time, of which there is no report with it among the samples. */
const unseen = ["k6-machine-readable", "kics", "sarif", "trufflehog"];

test("each format that states a time has a report, or is known to have none", () => {
  const stating = formats.filter(({ time }) => time !== "none").map(({ name }) => name);
  expect([...Object.keys(times), ...unseen].sort()).toEqual(stating.sort());
});

describe.skipIf(!existsSync(samples))("reports that real tools wrote", () => {
  test.each(Object.entries(times))("%s", (format, [path, measuredAt, options]) => {
    expect(readReport(readFileSync(new URL(path, samples)), { now, ...options })).toMatchObject({ format, measuredAt });
  });

  test("a date that says nothing is none", () => {
    const path = "spotbugs_xml/am_findbugs_3rd_party_category.xml";
    const reading = readReport(readFileSync(new URL(path, samples)), { now, ...source });
    expect(reading).not.toHaveProperty("measuredAt");
    expect(reading.notes).toContain("@analysisTimestamp holds a time before 2000, which does not count");
  });
});
