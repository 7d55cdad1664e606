import type { Format } from "./format.ts";
import { artillery } from "./formats/artillery.ts";
import { bandit } from "./formats/bandit.ts";
import { checkov } from "./formats/checkov.ts";
import { clover } from "./formats/clover.ts";
import { cobertura } from "./formats/cobertura.ts";
import { detectSecrets } from "./formats/detect-secrets.ts";
import { gatlingStats } from "./formats/gatling-stats.ts";
import { gitleaks } from "./formats/gitleaks.ts";
import { goCover } from "./formats/go-cover.ts";
import { gosec } from "./formats/gosec.ts";
import { grype } from "./formats/grype.ts";
import { istanbulSummary } from "./formats/istanbul-summary.ts";
import { jacoco } from "./formats/jacoco.ts";
import { jmeterJtl } from "./formats/jmeter-jtl.ts";
import { jmeterStatistics } from "./formats/jmeter-statistics.ts";
import { k6HandleSummary } from "./formats/k6-handle-summary.ts";
import { k6MachineReadable } from "./formats/k6-machine-readable.ts";
import { k6SummaryExport } from "./formats/k6-summary-export.ts";
import { kics } from "./formats/kics.ts";
import { lcov } from "./formats/lcov.ts";
import { locustStats } from "./formats/locust-stats.ts";
import { nuclei } from "./formats/nuclei.ts";
import { sarif } from "./formats/sarif.ts";
import { semgrep } from "./formats/semgrep.ts";
import { snyk } from "./formats/snyk.ts";
import { sonarqube } from "./formats/sonarqube.ts";
import { tfsec } from "./formats/tfsec.ts";
import { trivy } from "./formats/trivy.ts";
import { trufflehog } from "./formats/trufflehog.ts";
import { zapJson } from "./formats/zap-json.ts";
import { zapXml } from "./formats/zap-xml.ts";

/** Every format, the first that a report looks like counts. */
export const formats: readonly Format[] = [
  trivy,
  grype,
  snyk,
  sarif,
  semgrep,
  sonarqube,
  bandit,
  gosec,
  zapJson,
  zapXml,
  nuclei,
  gitleaks,
  trufflehog,
  detectSecrets,
  checkov,
  kics,
  tfsec,
  lcov,
  cobertura,
  jacoco,
  istanbulSummary,
  clover,
  goCover,
  k6SummaryExport,
  k6HandleSummary,
  k6MachineReadable,
  jmeterJtl,
  jmeterStatistics,
  gatlingStats,
  locustStats,
  artillery,
];
