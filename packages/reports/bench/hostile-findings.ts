import { counted, filled, type HostileShapes, manyWords } from "./shape.ts";

const sarif = (results: string, rules = "") =>
  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Semgrep","rules":[${rules}]}},"results":[${results}`;
const checkov = (check: string) => `{"check_type":"terraform","results":{"failed_checks":[${check}`;
const longName = "ab1".repeat(1_300);

/** Reports that list findings with files and lines, and secrets that have to be masked. */
export const hostileFindings: HostileShapes = {
  "sarif: an id of slashes": ["read", filled(sarif('{"ruleId":"'), "/", '"}]}]}')],
  "sarif: ids of slashes": ["read", filled(sarif('{"ruleId":"a"}'), `,{"ruleId":"${"a/".repeat(500)}"}`, "]}]}")],
  "sarif: messages to fill in": [
    "read",
    filled(
      sarif('{"ruleId":"a"}', `{"id":"a","messageStrings":{"m":{"text":"${"{0}".repeat(5_000)}"}}}`),
      ',{"ruleId":"a","message":{"id":"m","arguments":["x"]}}',
      "]}]}",
    ),
  ],
  "sarif: many runs": [
    "read",
    counted(
      '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"0"}},"results":[{}]}',
      (n) => `,{"tool":{"driver":{"name":"${n}"}},"results":[{}]}`,
      "]}",
    ),
  ],
  "sarif: many times that are none": [
    "read",
    filled(
      `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"CodeQL"}},"results":[],"invocations":[{}`,
      `,{"endTimeUtc":"${"1 ".repeat(30)}"}`,
      "]}]}",
    ),
  ],
  "sarif: many rules": [
    "read",
    counted(
      '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Semgrep","rules":[{}',
      (n) => `,{"id":"${n}/secret/"}`,
      ']}},"results":[]}]}',
    ),
  ],
  "gitleaks: lines of secrets": [
    "read",
    filled('[{"File":"a","StartLine":1,"RuleID":"a","Match":"', "a1b2c3d4 \\n", '"}]'),
  ],
  "gitleaks: lines that differ": [
    "read",
    counted('[{"File":"a","StartLine":1,"RuleID":"a","Description":"a","Match":"', (n) => `secret-${n}\\n`, '"}]'),
  ],
  "gitleaks: findings with secrets": [
    "read",
    filled(
      "[",
      `{"File":"a","StartLine":1,"RuleID":"a","Description":"${manyWords}","Match":"${manyWords}"},`,
      '{"File":"a","StartLine":1,"RuleID":"a"}]',
    ),
  ],
  "trufflehog: secrets": [
    "read",
    counted(
      "",
      (n) =>
        `{"DetectorName":"${manyWords}","Raw":"${manyWords}${n}","SourceMetadata":{"Data":{"Git":{"file":"${manyWords}"}}}}\n`,
    ),
  ],
  "trufflehog: equal lines": ["read", filled("", '{"DetectorName":"a","Raw":"a"}\n')],
  "detect-secrets: many files": [
    "read",
    counted('{"plugins_used":[{}],"results":{"a":[{}]', (n) => `,"${n}":[{}]`, "}}"),
  ],
  "checkov: lines of code": [
    "read",
    filled(checkov(`{"check_name":"${longName}","code_block":[[0,""]`), ',[1,"a1b2c3"]', "]}]}}"),
  ],
  "checkov: lines of code that differ": [
    "read",
    counted(checkov(`{"check_name":"${longName}","code_block":[[0,""]`), (n) => `,[${n},"a1b2-${n}"]`, "]}]}}"),
  ],
  "checkov: findings with code": [
    "read",
    counted(
      checkov("{}"),
      (n) => `,{"check_name":"${longName}","file_path":"${longName}","code_block":[[1,"${codeOf(n)}"]]}`,
      "]}}",
    ),
  ],
  "kics: many files": [
    "read",
    counted(
      '{"kics_version":"1","files_scanned":1,"queries":[{"category":"Secret Management","query_name":"Passwords And Secrets","files":[{}',
      (n) => `,{"file_name":"${n}","search_key":"key-${n}","actual_value":"value-${n}"}`,
      "]}]}",
    ),
  ],
  "kics: many severities": [
    "nothing-measured",
    counted('{"kics_version":"1","files_scanned":1,"queries":[],"severity_counters":{"a":0', (n) => `,"${n}":0`, "}}"),
  ],
  "tfsec: many results": [
    "read",
    counted(
      '{"results":[{"rule_id":"a","location":{}}',
      (n) => `,{"rule_id":"GEN001","location":{"filename":"${n}"}}`,
      "]}",
    ),
  ],
  "gitlab: many secrets": [
    "read",
    counted(
      '{"scan":{"type":"secret_detection","scanner":{}},"vulnerabilities":[{}',
      (n) => `,{"name":"${manyWords}","raw_source_code_extract":"${manyWords}${n}"}`,
      "]}",
    ),
  ],
  "gitlab: many flags": [
    "read",
    filled('{"scan":{"type":"sast","scanner":{}},"vulnerabilities":[{},{"flags":[{}', ",{}", "]}]}"),
  ],
};

/** So much code that just all of it is searched, with a line that is nowhere else. */
function codeOf(finding: number): string {
  return Array.from({ length: 490 }, (_, line) => `a${line}b${finding}`).join("\\n");
}
