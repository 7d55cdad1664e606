import type { ReportMetric } from "../kinds.ts";

/** What the results of a tool can be used for. */
export interface Purpose {
  /** The metric that the tool is made for, if there is one. */
  readonly metric?: ReportMetric;
  /** All metrics that it can feed if the caller names one. */
  readonly metrics: readonly ReportMetric[];
}

/** The purposes of known tools, by their names. The first match counts. */
const purposes: readonly [RegExp, Purpose][] = [
  [
    /gitleaks|trufflehog|detect-?secrets|ggshield|gitguardian|kingfisher|nosey ?parker|secret/i,
    { metric: "secret_scan", metrics: ["secret_scan"] },
  ],
  [/^(zap|owasp zap|nuclei|dastardly|burp)/i, { metric: "dast", metrics: ["dast"] }],
  [
    /^(trivy|grype|anchore|docker scout|snyk container|clair)/i,
    { metric: "image_scan", metrics: ["image_scan", "sast"] },
  ],
  [
    /dependency-?check|osv-?scanner|govulncheck|snyk open source|(npm|yarn|pip|cargo|bundler)[- ]?audit|retire\.?js|^safety/i,
    { metrics: ["sast", "image_scan"] },
  ],
  [
    /checkov|bridgecrew|kics|hadolint|tfsec|tflint|terrascan|kube-?(scape|score|linter|sec)|snyk iac|cfn-?(lint|nag|guard)|dockle/i,
    { metrics: ["sast"] },
  ],
  [
    /codeql|semgrep|opengrep|sonar|snyk ?code|eslint|bandit|gosec|brakeman|spotbugs|pmd|devskim|mobsfscan|flawfinder/i,
    { metric: "sast", metrics: ["sast"] },
  ],
];

/** The purpose of an unknown tool. Most likely it is a linter, because SARIF is made for static analysis. */
export const unknownTool: Purpose = { metric: "sast", metrics: ["sast", "image_scan", "dast"] };

export function purposeOf(tool: string): Purpose {
  return purposes.find(([pattern]) => pattern.test(tool))?.[1] ?? unknownTool;
}

/** The purpose of a report with runs of several tools: what all of them can be used for. */
export function commonPurpose(all: readonly Purpose[]): Purpose {
  const [first, ...others] = all;
  if (!first) return { metrics: [] };
  const metrics = first.metrics.filter((metric) => others.every((other) => other.metrics.includes(metric)));
  const isAgreed = first.metric !== undefined && others.every(({ metric }) => metric === first.metric);
  return isAgreed ? { metric: first.metric, metrics } : { metrics };
}
