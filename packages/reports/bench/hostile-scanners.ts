import { counted, filled, type HostileShapes, longName } from "./shape.ts";

const match = '{"template-id":"a","info":{"severity":"high"}}';
const cyclonedx = '{"bomFormat":"CycloneDX","metadata":{"component":{"type":"container"},"tools":[{"name":"a"}';

/** Reports of scanners of source, images, packages and running systems. */
export const hostileScanners: HostileShapes = {
  "burp: a long name": ["nothing-measured", longName('<issues burpVersion="1">', "</issues>")],
  "burp: entities": [
    "read",
    filled('<issues burpVersion="1"><issue><severity>', "&amp;", "</severity></issue></issues>"),
  ],
  "burp: many issues": [
    "read",
    counted('<issues burpVersion="1">', (n) => `<issue><serialNumber>${n}</serialNumber></issue>`, "</issues>"),
  ],
  "zap-xml: a long name": ["nothing-measured", longName("<OWASPZAPReport>", "</OWASPZAPReport>")],
  "zap-xml: attributes": ["nothing-measured", counted("<OWASPZAPReport ", (n) => `a${n}="1" `, "/>")],
  "zap-xml: a comment": ["nothing-measured", filled("<OWASPZAPReport><!--", "- ", "--></OWASPZAPReport>")],
  "zap-json: many sites": [
    "read",
    filled('{"@programName":"ZAP","@version":"1","site":[{"@name":"a","alerts":[]}', ',{"alerts":[{}]}', "]}"),
  ],
  "spotbugs: a long name": ["nothing-measured", longName("<BugCollection>", "</BugCollection>")],
  "spotbugs: many bugs": ["read", filled("<BugCollection>", '<BugInstance category="SECURITY"/>', "</BugCollection>")],
  "dependency-check-xml: a long name": [
    "nothing-measured",
    longName('<analysis xmlns="dependency-check">', "</analysis>"),
  ],
  "dependency-check-xml: many exceptions": [
    "nothing-measured",
    filled(
      '<analysis xmlns="dependency-check"><scanInfo><analysisExceptions><exception>',
      "<trace>AbstractAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA</trace>",
      "</exception></analysisExceptions></scanInfo></analysis>",
    ),
  ],
  "dependency-check-json: an exception": [
    "nothing-measured",
    filled(
      '{"reportSchema":"1.1","scanInfo":{"analysisExceptions":["',
      "AbstractAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      '"]},"dependencies":[]}',
    ),
  ],
  "dependency-check-json: many exceptions": [
    "nothing-measured",
    counted(
      '{"reportSchema":"1.1","scanInfo":{"analysisExceptions":[0',
      (n) => `,"A${"bcdefghij"[n % 9]}${"a".repeat(n % 50)}Analyzer"`,
      ']},"dependencies":[]}',
    ),
  ],
  "nuclei: lines that differ": ["read", counted("", (n) => `${match.slice(0, -1)},"n":${n}}\n`)],
  "nuclei: lists in lists": ["unreadable-report", filled(`[${match},`, `${"[".repeat(900)}${"]".repeat(900)},`, "1]")],
  "nuclei: brackets of no JSON": ["unreadable-report", filled(`${match}\n`, "{\n{ \n[\t\n")],
  "nuclei: blanks": ["read", filled(`${match}\n`, " \n")],
  "nuclei: a text that does not end": ["unreadable-report", filled(`${match}\n{"a":"`, "a\\\\")],
  "nuclei: log lines": ["read", filled(`${match}\n`, '[INF] a {b} [c] "d\n')],
  "trivy: cut off": [
    "unreadable-report",
    filled('{"SchemaVersion":2,"Results":[{"Target":"a","Vulnerabilities":[', '{"Severity":"HIGH"},'),
  ],
  "trivy: many reports": [
    "read",
    counted("", (n) => `{"SchemaVersion":2,"ArtifactName":"${n}","Results":[{"Class":"os-pkgs"}]}\n`),
  ],
  "trivy: many resources": [
    "read",
    counted(
      '{"ClusterName":"a","Resources":[{"Results":[{"Class":"os-pkgs"}]}',
      (n) => `,{"Results":[{"Target":"${n}","Misconfigurations":[{}],"ExperimentalModifiedFindings":[{}]}]}`,
      "]}",
    ),
  ],
  "grype: many matches": [
    "read",
    filled(
      '{"descriptor":{"name":"grype"},"source":{"type":"image"},"matches":[{"vulnerability":{}}',
      ',{"vulnerability":{}}',
      "]}",
    ),
  ],
  "grype: a key that stands again and again": [
    "read",
    (size) =>
      filled(
        `{"descriptor":{"name":"grype"},"source":{"type":"image"},"matches":[],"a":${" ".repeat(size / 2)}[1]`,
        ',"a":[1]',
        "}",
      )(size / 2),
  ],
  "snyk: many paths": [
    "read",
    counted('{"ok":false,"vulnerabilities":[{"id":"a"}', (n) => `,{"id":"${n}","severity":"low"}`, "]}"),
  ],
  "snyk: many applications": [
    "read",
    counted(
      '{"ok":false,"dependencyCount":1,"vulnerabilities":[],"applications":[{"vulnerabilities":[]}',
      (n) => `,{"dependencyCount":1,"vulnerabilities":[{"id":${n}}]}`,
      "]}",
    ),
  ],
  "cyclonedx: many tools": ["read", counted(cyclonedx, (n) => `,{"name":"${n}"}`, ']},"vulnerabilities":[{}]}')],
  "cyclonedx: many ratings": [
    "read",
    filled(`${cyclonedx}]},"vulnerabilities":[{"ratings":[{}`, ',{"method":"CVSSv3","score":1}', "]}]}"),
  ],
  "bandit: many results": [
    "read",
    filled('{"generated_at":"a","metrics":{"_totals":{"loc":1}},"results":[{"issue_severity":"LOW"}', ",{}", "]}"),
  ],
  "brakeman: many warnings": ["read", filled('{"scan_info":{"app_path":"a"},"warnings":[{}', ",{}", "]}")],
  "gosec: many issues": ["read", filled('{"GosecVersion":"1","Issues":[{}', ',{"suppressions":[{}]},{}', "]}")],
  "gosec: many errors": [
    "failed-scan",
    counted('{"Issues":[],"Stats":{"files":0},"Golang errors":{"0":[]', (n) => `,"${n}":[]`, "}}"),
  ],
  "semgrep: many errors": [
    "read",
    counted(
      '{"results":[{"check_id":"a","extra":{}}],"errors":[{}',
      (n) => `,{"level":"error","type":"Syntax error","path":"${n}"}`,
      "]}",
    ),
  ],
  "semgrep: many scanned files": [
    "nothing-measured",
    counted('{"results":[],"errors":[{"type":"Syntax error","path":"a"}],"paths":{"scanned":["a"', () => ',"a"', "]}}"),
  ],
  "sonarqube: many issues": [
    "read",
    counted(
      '{"paging":{"total":1},"issues":[{"type":"BUG"}',
      (n) => `,{"key":"${n}","impacts":[{},{"softwareQuality":"SECURITY"}]}`,
      "]}",
    ),
  ],
  "sonarqube: many pages": [
    "read",
    counted("", (n) => `{"paging":{"total":1},"issues":[{"key":"${n}","type":"VULNERABILITY"}]}\n`),
  ],
  "npm-audit: many packages": [
    "read",
    counted('{"auditReportVersion":2,"vulnerabilities":{"0":{}', (n) => `,"${n}":{"severity":"low"}`, "}}"),
  ],
  "npm-audit: many paths": [
    "read",
    counted(
      '{"runId":"a","metadata":{},"advisories":{"0":{}',
      (n) => `,"${n}":{"findings":[{"paths":["a","b"]}]}`,
      "}}",
    ),
  ],
  "osv-scanner: many sources": [
    "read",
    filled(
      '{"results":[{"source":{"path":"a"},"packages":[]}',
      ',{"packages":[{"vulnerabilities":[{}]},{"groups":[{}]}]}',
      "]}",
    ),
  ],
  "pip-audit: many dependencies": [
    "read",
    counted('[{"name":"a","version":"1","vulns":[]}', (n) => `,{"name":"${n}","version":"1","vulns":[{}]}`, "]"),
  ],
  "safety: many rows": ["read", counted('[["a","<1","1","a","1"]', (n) => `,["a","<1","1","a","${n}"]`, "]")],
  "safety: a long version": ["read", filled('[["a","', " ", '<1","1","a","1"]]')],
  "govulncheck: many findings": [
    "read",
    counted(
      '{"config":{"scanner_name":"a"}}\n',
      (n) => `{"finding":{"osv":"${n}","trace":[{"function":"a"},{"function":"b"}]}}\n`,
    ),
  ],
  "govulncheck: before 1.0": [
    "read",
    counted('{"Calls":{},"Vulns":[{"OSV":{"id":"a"}}', (n) => `,{"OSV":{"id":"${n}"},"CallSink":1}`, "]}"),
  ],
};
