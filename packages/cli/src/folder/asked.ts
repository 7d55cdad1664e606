import type { AssumedSeverity, ReportMetric, Severity } from "@maturity/reports";
import { type Flags, valuesOf } from "../command.ts";
import { type MetricName, metricNamed } from "../metrics.ts";
import { reportMetric } from "../raw-results.ts";
import { UsageError } from "../usage-error.ts";
import { type AskedProblem, parseProblem, wrongProblem } from "./asked-problems.ts";
import { type Claim, matcher, parseClaim } from "./claims.ts";

/** A metric, of whichever scorecard, that reports feed. */
export interface FedMetric extends MetricName {
  readonly metric: ReportMetric;
}

/** What the caller says of the files. */
export interface Asked {
  readonly metrics: readonly Claim<FedMetric>[];
  /** Of the files that none of `metrics` is about. */
  readonly metric?: FedMetric;
  readonly formats: readonly Claim<string>[];
  /** Of the files that were named one by one. */
  readonly format?: string;
  readonly problems: readonly Claim<AskedProblem>[];
  /** Of the files of directories. */
  readonly excludes: readonly Claim<undefined>[];
  readonly assumeScanned: boolean;
  readonly assumeSeverity?: AssumedSeverity;
  readonly keepGoing: boolean;
}

/** @throws UsageError for what cannot be meant */
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
 * A problem is one, whichever reports it is from: a severity that is named for some of them is that of all.
 *
 * @throws UsageError for two severities
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
