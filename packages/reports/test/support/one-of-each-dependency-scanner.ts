/** The same of the scanners of dependencies, which are made for no metric. */
export const oneOfEachDependencyScanner: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "npm-audit": {
    packages: { auditReportVersion: 2, vulnerabilities: { a: { name: "a", severity: "high", via: [] } } },
    advisories: { actions: [], advisories: { 1: { severity: "high" } }, muted: [], metadata: {} },
    clean: { auditReportVersion: 2, vulnerabilities: {}, metadata: { dependencies: { total: 3 } } },
    "nothing audited": { auditReportVersion: 2, vulnerabilities: {}, metadata: { dependencies: { total: 0 } } },
  },
  safety: {
    vulnerabilities: { report_meta: { packages_found: 1 }, vulnerabilities: [{ severity: null }] },
    "version 1": [["flask", "<1", "0.5", "Upgrade.", "25625"]],
    clean: { report_meta: { packages_found: 1 }, scanned_packages: {}, vulnerabilities: [] },
  },
  "pip-audit": {
    vulnerabilities: { dependencies: [{ name: "flask", version: "0.5", vulns: [{ id: "PYSEC-1" }] }], fixes: [] },
    "version 1": [{ name: "flask", version: "0.5", vulns: [{ id: "PYSEC-1" }] }],
    clean: { dependencies: [{ name: "flask", version: "0.5", vulns: [] }], fixes: [] },
  },
  "osv-scanner": {
    vulnerabilities: {
      results: [{ source: { path: "go.mod" }, packages: [{ groups: [{ ids: ["A"], max_severity: "9.8" }] }] }],
    },
    clean: { results: [{ source: { path: "go.mod" }, packages: [{ groups: [] }] }], experimental_config: {} },
  },
  govulncheck: {
    called: [
      { config: { scanner_name: "govulncheck" } },
      { finding: { osv: "GO-1", trace: [{ module: "a", function: "f" }] } },
    ],
    "before 1.0": { Calls: {}, Vulns: [{ OSV: { id: "GO-1" }, CallSink: 1 }] },
    clean: [{ config: { scanner_name: "govulncheck" } }, { progress: { message: "Scanning" } }],
    "nothing but its config": [{ config: { scanner_name: "govulncheck" } }],
  },
  "dependency-check-json": {
    vulnerabilities: { reportSchema: "1.1", scanInfo: {}, dependencies: [{ vulnerabilities: [{ severity: "HIGH" }] }] },
    clean: { reportSchema: "1.1", scanInfo: {}, dependencies: [{ fileName: "a.jar" }] },
    "an analyser that failed": {
      reportSchema: "1.1",
      scanInfo: { analysisExceptions: [{}] },
      dependencies: [{ fileName: "a.jar" }],
    },
  },
  "dependency-check-xml": {
    vulnerabilities:
      '<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd"><dependencies><dependency><vulnerabilities><vulnerability><severity>HIGH</severity></vulnerability></vulnerabilities></dependency></dependencies></analysis>\n',
    clean:
      '<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.2.5.xsd"><dependencies><dependency/></dependencies></analysis>\n',
  },
};
