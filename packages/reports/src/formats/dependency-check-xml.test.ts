import { testFormat } from "../../test/support/test-format.ts";
import { dependencyCheckXml } from "./dependency-check-xml.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const dependency = (vulnerabilities = "") => `
    <dependency isVirtual="false">
      <fileName>log4j-api-2.12.4.jar</fileName>
      <relatedDependencies><relatedDependency><fileName>other.jar</fileName></relatedDependency></relatedDependencies>
      ${vulnerabilities && `<vulnerabilities>${vulnerabilities}</vulnerabilities>`}
    </dependency>`;
const found = (inside: string) => `<vulnerability source="NVD"><name>CVE-1</name>${inside}</vulnerability>`;
const report = (dependencies: string, schema = "2.5", scan = "") => `<?xml version="1.0" encoding="UTF-8"?>
<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.${schema}.xsd">
  <scanInfo><engineVersion>6.5.3</engineVersion>${scan}</scanInfo>
  <dependencies>${dependencies}</dependencies>
</analysis>`;
const failure = `<analysisExceptions>
  <exception><message>failed</message></exception>
  <exception><message>failed</message><stackTrace>
    <trace>org.owasp.dependencycheck.analyzer.AbstractAnalyzer.analyze(AbstractAnalyzer.java:131)</trace>
    <trace>org.owasp.dependencycheck.analyzer.OssIndexAnalyzer.analyzeDependency(OssIndexAnalyzer.java:163)</trace>
    <trace>org.owasp.dependencycheck.analyzer.NodeAuditAnalyzer.prepare(NodeAuditAnalyzer.java:12)</trace>
  </stackTrace></exception>
</analysisExceptions>`;

testFormat(dependencyCheckXml, {
  "the gravest word of the versions of CVSS": {
    ...sast,
    report: report(
      dependency(
        found(
          "<severity>LOW</severity><cvssV2><severity>MEDIUM</severity></cvssV2><cvssV3><baseSeverity>LOW</baseSeverity></cvssV3>",
        ) + found("<severity>moderate</severity>"),
      ) + dependency(found("<severity>HIGH</severity><cvssV4><baseSeverity>CRITICAL</baseSeverity></cvssV4>")),
    ),
    reads: {
      metric: "sast",
      metrics: { sast: { ...none, critical: 1, medium: 2 } },
      tool: "dependency-check 6.5.3",
    },
  },
  "an old schema": {
    ...sast,
    report: report(dependency(found("<cvssScore>7.5</cvssScore><severity>High</severity>") + found("")), "1.3"),
    reads: { metrics: { sast: { ...none, high: 1, unknown: 1 } } },
  },
  none: { ...sast, report: report(dependency()), reads: { metrics: { sast: none }, notes: [] } },
  "suppressed ones": {
    ...sast,
    report: report(dependency("<suppressedVulnerability><severity>HIGH</severity></suppressedVulnerability>")),
    reads: { metrics: { sast: none }, notes: ["1 suppressed, not counted"] },
  },
  "analysers that failed, and nothing found by the others": {
    ...sast,
    report: report(dependency(), "2.5", failure),
    reads: {
      metrics: { sast: none },
      warnings: [
        "an analyser failed, so what it looks for may be missing",
        "OssIndexAnalyzer failed, so what it looks for may be missing",
      ],
    },
  },

  "an analyser that failed, and no dependencies": {
    ...sast,
    report: report("", "2.5", failure),
    refused: ["nothing-measured", "names no dependencies"],
  },
  "no dependencies": { ...sast, report: report(""), refused: ["nothing-measured", "names no dependencies"] },
});
