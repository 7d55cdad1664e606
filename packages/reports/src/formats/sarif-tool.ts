import type { ReportMetric } from "../kinds.ts";

/** What the results of a tool are good for. */
export interface Purpose {
  /** The metric it is made for; none where it has none of its own. */
  readonly metric?: ReportMetric;
  /** All that it can feed when it is named. */
  readonly metrics: readonly ReportMetric[];
}

/** By the name of the tool. Names that stand further up go before those further down. */
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

/** Of a tool that is not known, most likely a linter: SARIF is for static analysis. */
export const unknownTool: Purpose = { metric: "sast", metrics: ["sast", "image_scan", "dast"] };

export function purposeOf(tool: string): Purpose {
  return purposes.find(([pattern]) => pattern.test(tool))?.[1] ?? unknownTool;
}

/** What a report with runs of several tools is good for: what each of them is. */
export function commonPurpose(all: readonly Purpose[]): Purpose {
  const [first, ...others] = all;
  if (!first) return { metrics: [] };
  const metrics = first.metrics.filter((metric) => others.every((other) => other.metrics.includes(metric)));
  const isAgreed = first.metric !== undefined && others.every(({ metric }) => metric === first.metric);
  return isAgreed ? { metric: first.metric, metrics } : { metrics };
}
