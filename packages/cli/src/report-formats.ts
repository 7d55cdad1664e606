import { severities } from "@maturity/core/wire";
import type { AssumedSeverity } from "@maturity/reports";
import { InvalidArgumentError, Option } from "commander";
import { didYouMean } from "./did-you-mean.ts";

/**
 * The formats of `@maturity/reports`. They are listed here, because loading that package would slow help and completion
 * down.
 */
export const formatNames: readonly string[] = [
  "artillery",
  "bandit",
  "brakeman",
  "burp",
  "checkov",
  "clover",
  "cobertura",
  "coveragepy",
  "cyclonedx",
  "dependency-check-json",
  "dependency-check-xml",
  "detect-secrets",
  "gatling-stats",
  "gitlab",
  "gitleaks",
  "go-cover",
  "gosec",
  "govulncheck",
  "grype",
  "istanbul-final",
  "istanbul-summary",
  "jacoco",
  "jmeter-jtl",
  "jmeter-statistics",
  "k6-handle-summary",
  "k6-machine-readable",
  "k6-summary-export",
  "kics",
  "lcov",
  "llvm-cov",
  "locust-stats",
  "npm-audit",
  "nuclei",
  "opencover",
  "osv-scanner",
  "pip-audit",
  "safety",
  "sarif",
  "semgrep",
  "simplecov",
  "snyk",
  "sonarqube",
  "spotbugs",
  "tfsec",
  "trivy",
  "trufflehog",
  "zap-json",
  "zap-xml",
];

/** `--assume-scanned` for the commands that read reports. */
export function assumeOption(): Option {
  const text = "take a report that does not show what was looked for as clean: you know that it was looked for";
  return new Option("--assume-scanned", text);
}

/** `--assume-severity` for the commands that score reports. */
export function severityOption(): Option {
  const text = "count findings without a severity as ones of this: needed where none of a report has one";
  return new Option("--assume-severity <level>", text).choices(assumedSeverities);
}

const assumedSeverities: readonly AssumedSeverity[] = severities.filter((level) => level !== "info");

/** `--format` for the commands that read reports of one format. */
export function formatOption(): Option {
  const text = "format of the reports, where the content cannot tell: an empty one; maturity formats lists them";
  return new Option("--format <name>", text).argParser(requireFormat);
}

/** `--format` that may be given several times, each time for the files of a pattern. */
export function formatsOption(): Option {
  const option = formatOption();
  option.flags = "--format <[pattern=]name>";
  return option.argParser((text, former: readonly string[] = []) => {
    requireFormat(text.slice(text.lastIndexOf("=") + 1));
    return [...former, text];
  });
}

function requireFormat(name: string): string {
  if (formatNames.includes(name)) return name;
  const meant = didYouMean(name, formatNames).replace(/^; d(.*)/, "D$1 ");
  throw new InvalidArgumentError(`${meant}Allowed choices are ${formatNames.join(", ")}.`);
}
