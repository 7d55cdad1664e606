/** What tools print for people, by a line that only they have, and what is read instead. */
const textOutputs: readonly [what: string, line: RegExp][] = [
  ["the text of Bandit; its JSON is read (--format json)", /^(?:\[main\]\tINFO\t|Run started:\d|>> Issue: \[B\d)/m],
  [
    "the text of Checkov; its JSON is read (--output json)",
    /^By (?:bridgecrew\.io|Prisma Cloud) \| version:|^Passed checks: \d{1,9}, Failed checks: /m,
  ],
  ["the table of Trivy; its JSON is read (--format json)", /^Total: \d{1,9} \((?:UNKNOWN|LOW|MEDIUM|HIGH|CRITICAL): /m],
  [
    "the table of Grype; its JSON is read (--output json)",
    /^NAME {1,200}INSTALLED .{0,200}VULNERABILITY {1,200}SEVERITY/m,
  ],
  [
    "the text of Semgrep; its JSON is read (--json)",
    /^│ \d{1,9} (?:\w{1,20} ){0,3}Findings? │|^Ran \d{1,9} rules? on /m,
  ],
  ["the text of gosec; its JSON is read (-fmt=json)", /\(Confidence: (?:LOW|MEDIUM|HIGH), Severity: /],
  ["the text of Gitleaks; its JSON is read (--report-format json)", /^Finding: {1,20}[^\n]{0,4000}\nSecret: /m],
  ["the text of TruffleHog; its JSON is read (--json)", /^Found (?:un)?verified result/m],
  ["the text of npm audit; its JSON is read (--json)", /^# npm audit report$|^found \d{1,9} vulnerabilities/m],
  [
    "the text of govulncheck; its JSON is read (-format json)",
    /^=== \w{1,20} Results ===$|^Vulnerability #\d{1,9}: GO-/m,
  ],
  ["the table of OSV-Scanner; its JSON is read (--format json)", /^[|│] OSV URL /m],
  ["the table of pip-audit; its JSON is read (--format json)", /^Name {1,200}Version {1,200}ID {1,200}Fix Versions/m],
  ["the text of Brakeman; its JSON is read (--format json)", /^== Brakeman Report ==$/m],
  [
    "the text of Nuclei; its JSON Lines are read (-jsonl)",
    /^\[[\w:.-]{1,200}\] \[\w{1,20}\] \[(?:info|low|medium|high|critical)\] /m,
  ],
  ["the text of coverage.py; its JSON is read (coverage json)", /^Name {1,200}Stmts {1,20}Miss /m],
  ["the table of Istanbul; its JSON is read (the reporter json-summary)", /^File {1,200}\| % Stmts \| /m],
  ["the table of llvm-cov; its JSON is read (llvm-cov export)", /^Filename {1,200}Regions {1,20}Missed Regions /m],
  ["the output of go test; its profile is read (-coverprofile)", /\tcoverage: [\d.]{1,9}% of statements/],
  ["the text of k6; its summary is read (--summary-export)", /^ {1,20}http_req_\w{1,20}\.{1,40}: avg=/m],
  ["the log of JMeter; its results are read (-l)", /^(?:Generate )?[Ss]ummary [+=] {1,20}\d{1,9} in /m],
];

/** Colours and other instructions for terminals. */
const terminalCodes = /\p{Cc}\[[\d;]{0,20}m/gu;
/** Most characters that are examined. */
const looked = 65_536;

/** The description of what a tool prints for people. Undefined for any other text. */
export function textOutputOf(text: string): string | undefined {
  const shown = text.slice(0, looked).replaceAll(terminalCodes, "").replaceAll("\r\n", "\n");
  return textOutputs.find(([, line]) => line.test(shown))?.[0];
}
