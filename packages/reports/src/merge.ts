import { mergeCoverage } from "./coverage.ts";
import { metricsOf } from "./derive.ts";
import { ReportError } from "./errors.ts";
import { Findings, type Problem } from "./findings.ts";
import type { Reading } from "./read-report.ts";
import { noFindings, type SeverityCounts } from "./severities.ts";

/**
 * One reading of several, for scans and tests that ran in parts: findings are added up, a secret found by any is found, and
 * what is covered by any is covered. Findings that two reports share count twice.
 *
 * @throws ReportError `not-mergeable` when there is none, when they are read for different metrics, or when more than one
 * is of a load test: percentiles of several runs do not make one
 */
export function mergeReadings(readings: readonly Reading[]): Reading {
  const [first, ...others] = readings;
  if (!first) throw new ReportError("not-mergeable", "there is no report to merge");
  if (others.length === 0) return first;
  const stranger = others.find(({ metric }) => metric !== first.metric);
  if (stranger) {
    throw new ReportError(
      "not-mergeable",
      `a report of ${first.metric} and one of ${stranger.metric} cannot be merged`,
    );
  }
  if (readings.some(({ load }) => load)) {
    throw new ReportError("not-mergeable", "load tests cannot be merged: the percentiles of several do not make one");
  }
  const notes = readings.flatMap((reading) => reading.notes);
  const merged = mergedCoverage(readings);
  const problem = mergedProblem(readings.map((reading) => reading.problem));
  const dedicated = readings.every((reading) => reading.problem === reading.secrets);
  const secrets = dedicated ? problem : mergedProblem(readings.map((reading) => reading.secrets));
  const severities = mergedSeverities(readings);
  const tools = distinct(readings.flatMap(({ tool }) => tool ?? []));
  const facts = {
    ...(severities && { severities }),
    ...(problem && { problem }),
    ...(secrets && { secrets }),
    ...(merged && { coverage: merged.coverage }),
    ...(tools.length > 0 && { tool: tools.join(", ") }),
  };
  const metrics = distinct(readings.flatMap((reading) => Object.keys(reading.metrics))) as Reading["metric"][];
  return {
    ...facts,
    format: distinct(readings.map(({ format }) => format)).join(", "),
    metric: first.metric,
    metrics: metricsOf(metrics, facts),
    notes: [...counted(notes), ...(merged?.notes ?? [])],
  };
}

function mergedSeverities(readings: readonly Reading[]): SeverityCounts | undefined {
  const counts = readings.flatMap(({ severities }) => severities ?? []);
  if (counts.length === 0) return undefined;
  const sum = noFindings();
  for (const count of counts) {
    for (const severity of Object.keys(sum) as (keyof SeverityCounts)[]) sum[severity] += count[severity];
  }
  return sum;
}

function mergedProblem(problems: readonly (Problem | undefined)[]): Problem | undefined {
  const present = problems.filter((problem) => problem !== undefined);
  if (present.length === 0) return undefined;
  const findings = new Findings();
  for (const problem of present) findings.addAll(problem);
  return findings.problem;
}

function mergedCoverage(readings: readonly Reading[]): ReturnType<typeof mergeCoverage> | undefined {
  const coverages = readings.flatMap(({ coverage }) => coverage ?? []);
  return coverages.length === 0 ? undefined : mergeCoverage(coverages);
}

/** Every note once, with the number of reports it is of. */
function counted(notes: readonly string[]): string[] {
  return distinct(notes).map((note) => {
    const times = notes.filter((other) => other === note).length;
    return times === 1 ? note : `${note} (in each of ${times} reports)`;
  });
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
