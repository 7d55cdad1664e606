import { ReportError, unreadable } from "../errors.ts";
import { Findings } from "../findings.ts";
import type { Format } from "../format.ts";
import type { ReportMetric } from "../kinds.ts";
import { measuredBy, measuredCounts } from "../measurement.ts";
import { aboutImages } from "../naming.ts";
import { noFindings, type SeverityCounts } from "../severities.ts";
import { entriesAt, type Fields, isObject, listAt, objectAt, objectsOf, textOf } from "../shape.ts";
import { codeOf, isOpen, isSuppressed, messageOf, placeOf } from "./sarif-result.ts";
import { isSecretRule, ruleFinder, severityOfResult } from "./sarif-rule.ts";
import { hasFailed, refuseElsewhere } from "./sarif-run.ts";
import { silenceOf } from "./sarif-silence.ts";
import { commonPurpose, ofImages, type Purpose, purposeOf, unknownTool } from "./sarif-tool.ts";
import { isOfImage, isTrivy, isVulnerability, severityOfTrivy } from "./sarif-trivy.ts";

/**
 * SARIF 2.1.0 of any tool, with all runs of a file. `security-severity` from 9 is critical, from 7 high, from 4
 * medium, above 0 low; without it error is high, warning medium, and note low. Suppressed results, those whose
 * `baselineState` is absent, and kinds other than `fail`, `open` and `review` do not count. A result is a secret if
 * its tool is a secret scanner or its rule says so. Results of secret scanners are not counted by severity. The tools
 * decide which other metrics a report can feed, by the words with which their names begin. A file of
 * several tools feeds what all of them can. A tool that is not known has to be named for a metric, and resolves a
 * problem only if it lists its rules. Of Trivy only vulnerabilities count, and without any it shows nothing: its JSON
 * does. Where it names an image, it feeds `image_scan` by itself. A run that failed without results is refused, and so
 * is a run without the list `results`.
 */
export const sarif: Format = {
  name: "sarif",
  title: "SARIF",
  words: ["runs", "driver", "results", "ruleId", "physicalLocation", "artifactLocation", "sarif"],
  time: { fields: ["runs[].invocations[].endTimeUtc", "runs[].invocations[].startTimeUtc"], zone: "UTC" },
  metrics: ["sast", "image_scan", "dast", "secret_scan"],
  problems: ["findings", "secrets"],
  problem: "findings",

  // The least after a scan is an empty list of results by a tool that is known to look for them. Every other tool may
  // have written the same.
  looksLike: ({ head }) => head.some((record) => isObject(record) && isLog(record)),

  read(document) {
    const totals = noTotals();
    for (const { record, path } of objectsOf(document)) {
      refuseOld(record, path);
      const runs = listAt(record.runs, `${path}runs`);
      refuseElsewhere(record.inlineExternalProperties, `${path}inlineExternalProperties`);
      if (runs.length === 0) throw new ReportError("nothing-measured", `${path}runs is empty: no tool ran`);
      for (const { entry, path: at } of entriesAt(runs, `${path}runs`)) addRun(totals, entry, at);
    }
    const { metric } = commonPurpose(totals.purposes);
    const ofPackages = totals.purposes.filter(({ knownFor }) => knownFor.includes("image_scan"));
    const { imageNotes } = aboutImages(ofPackages.map((purpose) => (purpose === ofImages ? "image" : undefined)));
    const counting = totals.purposes.filter((purpose) => purpose.metric !== "secret_scan");
    const secrets = totals.secrets.list;
    const all = totals.all.list;
    return {
      severities: measuredCounts(totals.severities, totals.silence ? undefined : "results", totals.silence ?? ""),
      findings: {
        findings: measuredBy(all, all.count, totals.isOpen ? undefined : "the tool, or its rules", noRules),
        secrets: measuredBy(
          secrets,
          secrets.count,
          totals.looksForSecrets ? "rules for secrets" : undefined,
          noSecrets,
        ),
      },
      tool: [...totals.tools].join(", "),
      toolNames: totals.strangers.map(({ tool }) => tool),
      ...(metric && { metric }),
      metrics: [...commonPurpose(counting).metrics, "secret_scan"],
      ...(counting.includes(unknownTool) && { cleanFor: ["sast"] }),
      strangers: totals.strangers,
      ...(imageNotes && { imageNotes }),
      warnings: totals.failed > 0 ? ["the report says that the tool failed, so it may not have seen everything"] : [],
      notes: totals.suppressed > 0 ? [`${totals.suppressed} suppressed, not counted`] : [],
    };
  },
};

const noRules = "does not show what was looked for: its tool is not known to look for one thing, and lists no rules";
const noSecrets = "does not show that secrets were looked for: no rule is about secrets";

function isLog({ $schema, version, runs, ...others }: Fields): boolean {
  if (textOf($schema)?.toLowerCase().includes("sarif")) return true;
  if (textOf(version) && "runLogs" in others) return true;
  const [run] = Array.isArray(runs) ? runs : [];
  const isRun = isObject(run) && isObject(run.tool) && "driver" in run.tool;
  return runs !== undefined && (isRun || /^[12]\./.test(textOf(version) ?? ""));
}

/** Refuses SARIF before 2.1, whose members have other names: a tool has no `driver`, and 0.4 has `runLogs`. */
function refuseOld({ version, runs, ...others }: Fields, path: string): void {
  const [run] = Array.isArray(runs) ? runs : [];
  const tool = isObject(run) && isObject(run.tool) ? run.tool : undefined;
  const isOld = "runLogs" in others || (tool !== undefined && !("driver" in tool));
  if (!isOld || textOf(version)?.startsWith("2.1") === true) return;
  throw unreadable(`${path}version is before 2.1.0: have the tool write SARIF 2.1.0`);
}

interface Totals {
  /** The results of all runs except those of secret scanners. */
  readonly severities: SeverityCounts;
  /**
   * What is missing in a run that does not prove that the tool looked for vulnerabilities. Undefined if all runs do.
   */
  silence: string | undefined;
  /** Whether there is a run that does not show what its tool looked for. */
  isOpen: boolean;
  readonly all: Findings;
  readonly secrets: Findings;
  looksForSecrets: boolean;
  suppressed: number;
  /** Number of runs that failed, but have results. */
  failed: number;
  readonly tools: Set<string>;
  readonly purposes: Purpose[];
  readonly strangers: { tool: string; knownFor: readonly ReportMetric[] }[];
}

function noTotals(): Totals {
  return {
    severities: noFindings(),
    silence: undefined,
    isOpen: false,
    all: new Findings(),
    secrets: new Findings(),
    looksForSecrets: false,
    suppressed: 0,
    failed: 0,
    tools: new Set(),
    purposes: [],
    strangers: [],
  };
}

function addRun(totals: Totals, run: Fields, path: string): void {
  const tool = objectAt(run.tool, `${path}.tool`);
  const driver = objectAt(tool.driver, `${path}.tool.driver`);
  const name = textOf(driver.name) ?? "a tool without a name";
  const version = textOf(driver.semanticVersion) ?? textOf(driver.version);
  totals.tools.add(version === undefined ? name : `${name} ${version}`);
  const purpose = isTrivy(name) && isOfImage(run) ? ofImages : purposeOf(name);
  totals.purposes.push(purpose);
  totals.strangers.push({ tool: name, knownFor: purpose.knownFor });
  refuseElsewhere(run.externalPropertyFileReferences, `${path}.externalPropertyFileReferences`);
  if (!("results" in run)) throw new ReportError("failed-scan", `${path}.results is missing: the tool did not scan`);

  const isSecretScanner = purpose.metric === "secret_scan";
  const rules = ruleFinder(tool);
  totals.silence ??= silenceOf(run, driver, rules.all);
  if (run.results !== null) totals.looksForSecrets ||= isSecretScanner || rules.all.some(isSecretRule);
  let results = 0;
  for (const { entry: result } of entriesAt(run.results, `${path}.results`)) {
    results++;
    if (!isOpen(result)) continue;
    if (isSuppressed(result)) {
      totals.suppressed++;
      continue;
    }
    const rule = rules.of(result);
    const severity = (isTrivy(name) ? severityOfTrivy(result, rule) : undefined) ?? severityOfResult(result, rule);
    if (!isSecretScanner && (!isTrivy(name) || isVulnerability(rule))) {
      totals.severities[severity]++;
    }
    const isSecret = isSecretScanner || (rule !== undefined && isSecretRule(rule));
    const finding = {
      ...placeOf(result),
      description: () => messageOf(result, rule),
      severity,
      secrets: isSecret ? codeOf(result) : [],
    };
    totals.all.add(finding);
    if (isSecret) totals.secrets.add(finding);
  }
  totals.isOpen ||=
    run.results === null || (results + rules.all.length === 0 && (purpose === unknownTool || isTrivy(name)));
  if (!hasFailed(run)) return;
  if (results === 0) throw new ReportError("failed-scan", `${path} says that the tool failed, and has no results`);
  totals.failed++;
}
