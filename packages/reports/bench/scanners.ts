import { description, type Kind, member, numbers } from "./kind.ts";

export const scanners: Readonly<Record<string, Kind>> = {
  "npm audit": {
    begin: '{"auditReportVersion":2,"vulnerabilities":{',
    piece: (n) =>
      `${n === 1 ? "" : ",\n"}"package-${n}":${JSON.stringify({
        name: `package-${n}`,
        severity: "high",
        via: [{ source: n, title: description, severity: "high", cvss: { score: 7.5 }, range: "<1.2.3" }],
        nodes: [`node_modules/package-${n}`],
      })}`,
    end: "}}",
  },
  "dependency-check XML": {
    begin: '<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd"><dependencies>',
    piece: (n) =>
      `<dependency><fileName>lib${n}.jar</fileName><evidenceCollected>${"<evidence type='vendor'><source>file</source><value>lib</value></evidence>".repeat(8)}</evidenceCollected><vulnerabilities><vulnerability><name>CVE-${n}</name><severity>HIGH</severity><cvssV3><baseSeverity>CRITICAL</baseSeverity></cvssV3><description>${description}</description></vulnerability></vulnerabilities></dependency>\n`,
    end: "</dependencies></analysis>",
  },
  govulncheck: {
    begin: '{"config":{"protocol_version":"v1.0.0","scanner_name":"govulncheck","scan_level":"symbol"}}\n',
    piece: (n) =>
      `${JSON.stringify(
        {
          finding: {
            osv: `GO-${n % 5000}`,
            trace: numbers(4).map((frame) => ({
              module: "golang.org/x/net",
              function: `f${frame}`,
              position: { line: n },
            })),
          },
        },
        null,
        2,
      )}\n`,
    end: "",
  },
  GitLab: {
    begin:
      '{"version":"15.1.4","scan":{"type":"sast","status":"success","scanner":{"name":"Semgrep"}},"vulnerabilities":[',
    piece: (n) =>
      member(n, {
        id: `${n}`,
        name: "SQL injection",
        description,
        severity: "High",
        location: { file: `src/${n}.ts`, start_line: n },
        identifiers: [{ type: "cwe", name: "CWE-89", value: "89" }],
      }),
    end: "]}",
  },
  SpotBugs: {
    begin: '<BugCollection version="4.8.3"><Project><Jar>shop.jar</Jar></Project>',
    piece: (n) =>
      `<BugInstance type="XSS" priority="${(n % 3) + 1}" rank="7" category="SECURITY"><ShortMessage>XSS</ShortMessage><LongMessage>${description}</LongMessage><Class classname="shop.C${n}"><SourceLine start="${n}" end="${n}"/></Class></BugInstance>\n`,
    end: "</BugCollection>",
  },
  Burp: {
    begin: '<!DOCTYPE issues [<!ELEMENT issues (issue*)>]><issues burpVersion="2026.4">',
    piece: (n) =>
      `<issue><serialNumber>${n}</serialNumber><severity>Medium</severity><confidence>Firm</confidence><issueDetail><![CDATA[${description}]]></issueDetail><requestresponse><request base64="true"><![CDATA[${"R0VUIC8=".repeat(100)}]]></request></requestresponse></issue>\n`,
    end: "</issues>",
  },
  Safety: {
    begin: '{"report_meta":{"packages_found":1},"scanned_packages":{},"vulnerabilities":[',
    piece: (n) => member(n, { vulnerability_id: `${n}`, package_name: "flask", advisory: description, severity: null }),
    end: "]}",
  },
  "pip-audit": {
    begin: '{"dependencies":[',
    piece: (n) =>
      member(n, {
        name: `package-${n}`,
        version: "1.0",
        vulns: [{ id: `PYSEC-${n}`, fix_versions: ["1.1"], aliases: [`CVE-2026-${n}`], description }],
      }),
    end: '],"fixes":[]}',
  },
  "OSV-Scanner": {
    begin: '{"results":[{"source":{"path":"/shop/package-lock.json","type":"lockfile"},"packages":[',
    piece: (n) =>
      member(n, {
        package: { name: `package-${n}`, version: "1.0", ecosystem: "npm" },
        vulnerabilities: [{ id: `GHSA-${n}`, details: description, affected: [] }],
        groups: [{ ids: [`GHSA-${n}`], max_severity: "7.5" }],
      }),
    end: "]}]}",
  },
  Brakeman: {
    begin: '{"scan_info":{"app_path":"/shop","number_of_controllers":3},"warnings":[',
    piece: (n) =>
      member(n, {
        warning_type: "SQL Injection",
        message: description,
        file: `app/models/m${n}.rb`,
        line: n,
        confidence: "Medium",
      }),
    end: '],"ignored_warnings":[],"errors":[]}',
  },
  CycloneDX: {
    begin:
      '{"bomFormat":"CycloneDX","specVersion":"1.5","metadata":{"component":{"type":"container"}},"components":[],"vulnerabilities":[',
    piece: (n) =>
      member(n, {
        id: `CVE-2026-${n}`,
        description,
        ratings: [
          { severity: "high", score: 7.5, method: "CVSSv31" },
          { severity: "medium", method: "other" },
        ],
        affects: [{ ref: `pkg:npm/package-${n}@1.0` }],
      }),
    end: "]}",
  },
  "dependency-check JSON": {
    begin: '{"reportSchema":"1.1","scanInfo":{"engineVersion":"12.1.1"},"projectInfo":{"name":"shop"},"dependencies":[',
    piece: (n) =>
      member(n, {
        fileName: `lib${n}.jar`,
        evidenceCollected: { vendorEvidence: numbers(8).map((line) => ({ source: "file", name: `${line}` })) },
        vulnerabilities: [
          { name: `CVE-2026-${n}`, severity: "HIGH", cvssv3: { baseSeverity: "CRITICAL" }, description },
        ],
      }),
    end: "]}",
  },
  "coverage.py": {
    begin: '{"meta":{"version":"7.14.1","branch_coverage":false},"files":{',
    piece: (n) =>
      `${n === 1 ? "" : ",\n"}"src/file${n}.py":${JSON.stringify({
        executed_lines: numbers(300),
        summary: { covered_lines: 300, num_statements: 400 },
        missing_lines: numbers(100).map((line) => 300 + line),
        excluded_lines: [],
      }).replaceAll(",", ", ")}`,
    end: '},"totals":{"covered_lines":1000000000,"num_statements":2000000000}}',
  },
};
