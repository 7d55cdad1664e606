import { callersWord } from "./assume.ts";
import { mergeCoverage } from "./coverage.ts";
import { measurementsOf, type RawValues } from "./derive.ts";
import { ReportError } from "./errors.ts";
import { withPossibleFigures } from "./figures.ts";
import { type FindingList, Findings, type Problem, problemOf } from "./findings.ts";
import { type FindingKind, findingKinds, isSeverityMetric, type ReportMetric } from "./kinds.ts";
import { measured, measuredValues } from "./measurement.ts";
import type { FindingMetric, MetricFindings } from "./metric-findings.ts";
import type { Assumed, Reading } from "./read-report.ts";
import { addCounts, noFindings, type SeverityCounts } from "./severities.ts";

/**
 * Merges the readings of a scan or a test run that ran in parts. Findings are added up, also those that several reports
 * have in common. A line is covered if any report covers it. The earliest time at which any of them was measured is that
 * of the whole.
 *
 * @throws ReportError `not-mergeable` if there are no readings or they are about different metrics. Also for load
 * tests, because the percentile of several runs cannot be computed from theirs.
 */
export function mergeReadings(readings: readonly Reading[]): Reading {
  const [first, ...others] = readings;
  if (!first) throw new ReportError("not-mergeable", "there is no report to merge");
  if (others.length === 0) return first;
  const aboutOf = ({ metric, kind }: Reading) => metric ?? kind ?? "no metric";
  const stranger = others.find((other) => aboutOf(other) !== aboutOf(first));
  if (stranger) {
    const [one, other] = [first, stranger].map(aboutOf);
    throw new ReportError("not-mergeable", `a report of ${one} and one of ${other} cannot be merged`);
  }
  if (readings.some(({ load }) => load)) {
    throw new ReportError("not-mergeable", "load tests cannot be merged: the percentiles of several do not make one");
  }
  const merged = mergedCoverage(readings);
  const severities = mergedSeverities(readings);
  const problems = mergedProblems(readings);
  const each = readings.map(({ problem }) => problem);
  const isOneKind = readings.every(({ kind }) => kind === first.kind) && each.every((problem) => problem !== undefined);
  const problem = isOneKind && mergedProblem(each);
  const tools = distinct(readings.flatMap(({ tool }) => tool ?? []));
  const toolNames = distinct(readings.flatMap((reading) => reading.toolNames ?? [])).sort();
  const [measuredAt] = readings.flatMap((reading) => reading.measuredAt ?? []).sort();
  const assumed = mergedAssumed(readings);
  const evidence = assumed.scanned
    ? callersWord
    : distinct(readings.flatMap((reading) => reading.evidence ?? [])).join("; ");
  const metrics = distinct(readings.flatMap((reading) => Object.keys(reading.metrics) as ReportMetric[])).filter(
    (metric) => readings.every((reading) => reading.metrics[metric]),
  );
  const findings = mergedFindings(readings, metrics);
  const measurements = measurementsOf(
    metrics,
    {
      ...(severities && { severities: measured(severities, evidence) }),
      ...(findings.secret_scan && { findings: { secrets: measured(findings.secret_scan, evidence) } }),
      ...(merged && { coverage: merged.coverage }),
    },
    assumed.severity,
  );
  return withPossibleFigures({
    format: distinct(readings.map(({ format }) => format)).join(", "),
    ...(tools.length > 0 && { tool: tools.join(", ") }),
    ...(toolNames.length > 0 && { toolNames }),
    ...(measuredAt && { measuredAt }),
    ...(first.metric && { metric: first.metric }),
    metrics: measuredValues<Record<ReportMetric, RawValues>>(measurements),
    findings,
    ...(isOneKind && first.kind && { kind: first.kind }),
    ...(problem && { problem }),
    problems,
    ...(severities && { severities }),
    ...(merged && { coverage: merged.coverage }),
    ...(evidence && { evidence }),
    ...(Object.keys(assumed).length > 0 && { assumed }),
    held: readings.flatMap(({ held }) => held),
    warnings: counted(readings.flatMap(({ warnings }) => warnings)),
    notes: [...counted(readings.flatMap(({ notes }) => notes)), ...(merged?.notes ?? [])],
  });
}

/** @throws ReportError if the readings assume different severities for findings without one */
function mergedAssumed(readings: readonly Reading[]): Assumed {
  const open = readings.filter(
    ({ severities, metric }) => isSeverityMetric(metric) && severities && severities.unknown > 0,
  );
  const [severity, ...others] = distinct(open.map(({ assumed }) => assumed?.severity));
  if (others.length > 0) {
    throw new ReportError("not-mergeable", "of findings without a severity each report assumes another one");
  }
  return {
    ...(readings.some(({ assumed }) => assumed?.scanned) && { scanned: true }),
    ...(severity && { severity }),
  };
}

/** The merged problem of each kind. A kind is left out if one of the reports says nothing about it. */
function mergedProblems(readings: readonly Reading[]): Reading["problems"] {
  const problems: { [kind in FindingKind]?: Problem } = {};
  for (const kind of findingKinds) {
    const each = readings.map((reading) => reading.problems[kind]);
    if (each.every((problem) => problem !== undefined)) problems[kind] = mergedProblem(each);
  }
  return problems;
}

function mergedSeverities(readings: readonly Reading[]): SeverityCounts | undefined {
  const counts = readings.flatMap(({ severities }) => severities ?? []);
  if (counts.length < readings.length) return undefined;
  const sum = noFindings();
  for (const count of counts) addCounts(sum, count);
  return sum;
}

/** Of the severities of a problem only the gravest is known, and only that is asked for. */
function mergedProblem(problems: readonly Problem[]): Problem {
  return problemOf(
    mergedList(
      problems.map(({ severity = "unknown", ...problem }) => ({
        ...problem,
        severities: { ...noFindings(), [severity]: problem.count },
      })),
    ),
  );
}

function mergedList(lists: readonly FindingList[]): FindingList {
  const findings = new Findings();
  for (const list of lists) findings.addAll(list);
  return findings.list;
}

/** The merged findings of each metric that all reports feed. */
function mergedFindings(readings: readonly Reading[], metrics: readonly ReportMetric[]): MetricFindings {
  const findings: { [metric in FindingMetric]?: FindingList } = {};
  for (const metric of metrics as FindingMetric[]) {
    const lists = readings.flatMap((reading) => reading.findings[metric] ?? []);
    if (lists.length === readings.length) findings[metric] = mergedList(lists);
  }
  return findings;
}

function mergedCoverage(readings: readonly Reading[]): ReturnType<typeof mergeCoverage> | undefined {
  const coverages = readings.flatMap(({ coverage }) => coverage ?? []);
  return coverages.length === 0 ? undefined : mergeCoverage(coverages);
}

/** Each note once, with the number of reports that have it. */
function counted(notes: readonly string[]): string[] {
  return distinct(notes).map((note) => {
    const times = notes.filter((other) => other === note).length;
    return times === 1 ? note : `${note} (in each of ${times} reports)`;
  });
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
