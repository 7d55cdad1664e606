import { type Flags, valuesOf } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import type { AssumedSeverity, ReportMetric, Severity } from "@maturity/reports";
import { type AskedProblem, parseProblem, wrongProblem } from "./asked-problems.ts";
import { type Claim, matcher, parseClaim } from "./claims.ts";
import { type MetricName, metricNamed } from "./metric-name.ts";
import { reportMetric } from "./results.ts";

/** A metric that reports can feed. The scorecard may be one of the caller, with a metric of the same name. */
export interface FedMetric extends MetricName {
  readonly metric: ReportMetric;
}

/** What the flags say about the files. */
export interface Asked {
  /** `--metric` with a pattern. */
  readonly metrics: readonly Claim<FedMetric>[];
  /** `--metric` without a pattern: for the files that no pattern of `metrics` matches. */
  readonly metric?: FedMetric;
  /** `--format` with a pattern. */
  readonly formats: readonly Claim<string>[];
  /** `--format` without a pattern: for the arguments that are files. It does not apply to the files of directories. */
  readonly format?: string;
  readonly problems: readonly Claim<AskedProblem>[];
  /** Patterns of files of directories to leave out. */
  readonly excludes: readonly Claim<undefined>[];
  readonly assumeScanned: boolean;
  readonly assumeSeverity?: AssumedSeverity;
  readonly keepGoing: boolean;
}

/**
 * Reads the flags about files.
 *
 * @throws UsageError if a flag is wrong, or contradicts another
 */
export async function askedOf(flags: Flags): Promise<Asked> {
  const metrics: Claim<FedMetric>[] = [];
  const plain: FedMetric[] = [];
  for (const text of valuesOf(flags.metric)) {
    const claim = parseClaim("--metric", text);
    const { scorecard, metric } = metricNamed(claim?.value ?? text);
    const value = { scorecard, metric: await reportMetric(metric) };
    if (claim) metrics.push({ ...claim, value });
    else plain.push(value);
  }
  const formats = valuesOf(flags.format).map((text) => ({ text, claim: parseClaim("--format", text) }));
  const [format, otherFormat] = formats.flatMap(({ text, claim }) => (claim ? [] : [text]));
  const [metric, otherMetric] = plain;
  if (otherMetric || otherFormat) {
    const [flag, example] = otherMetric ? ["--metric", "lcov.info=unit_coverage"] : ["--format", "nuclei.jsonl=nuclei"];
    throw new UsageError(`of several ${flag} each but one needs the files it is for: ${flag} ${example}`);
  }
  const problems = withSeverities(valuesOf(flags.problems).map(problemClaim));
  return {
    metrics,
    ...(metric && { metric }),
    formats: formats.flatMap(({ claim }) => claim ?? []),
    ...(format && { format }),
    problems,
    excludes: valuesOf(flags.exclude).map((text) => ({
      text: `--exclude ${text}`,
      value: undefined,
      matches: matcher(text),
    })),
    assumeScanned: flags.assumeScanned === true,
    ...(flags.assumeSeverity !== undefined && { assumeSeverity: flags.assumeSeverity as AssumedSeverity }),
    keepGoing: flags.keepGoing === true,
  };
}

/**
 * Gives all flags of a problem the same severity. A problem has one severity, whichever reports it comes from, so it is
 * enough to name it once.
 *
 * @throws UsageError if two flags name different severities for the same problem
 */
function withSeverities(claims: readonly Claim<AskedProblem>[]): readonly Claim<AskedProblem>[] {
  const known = new Map<string, Severity>();
  for (const { type, severity } of claims.map(({ value }) => value)) {
    const other = known.get(type);
    if (severity && other && other !== severity) {
      throw new UsageError(`--problems names two severities for ${type}: ${other} and ${severity}`);
    }
    if (severity) known.set(type, severity);
  }
  return claims.map((claim) => {
    const severity = known.get(claim.value.type);
    return { ...claim, value: { ...claim.value, ...(severity && { severity }) } };
  });
}

function problemClaim(text: string): Claim<AskedProblem> {
  const claim = parseClaim("--problems", text);
  if (!claim) throw wrongProblem();
  return { ...claim, value: parseProblem(claim.value) };
}
