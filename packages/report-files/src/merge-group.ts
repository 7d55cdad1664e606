import type { ProblemRequest } from "@maturity/client";
import { datedFile } from "./ages.ts";
import { type Conflict, conflictIn, type Group, unmergeable } from "./groups.ts";
import type { MergedReading } from "./readings.ts";
import { fileNames, problemClaimText } from "./refusals.ts";
import type { MetricResult } from "./results.ts";
import { failed, type Reports } from "./verdict.ts";

/** A problem that reports describe. */
export interface FoundProblem {
  /** The body for the service, without the application. */
  readonly found: Pick<ProblemRequest, "problem_type" | "severity" | "count" | "measured_at"> & {
    readonly details: ProblemRequest["details"] & object;
  };
  readonly reading: MergedReading;
}

/** Merges the reports of a group into a result or a problem, or returns why that is not possible. */
export function mergeGroup(
  group: Group,
  { mergeReadings, ReportError }: Reports,
): { readonly result: MetricResult } | { readonly problem: FoundProblem } | Conflict {
  const { about, members } = group;
  const conflict = conflictIn(group);
  if (conflict) return conflict;
  try {
    const files = members.map(({ file }) => file);
    const dates = members.map((member) => datedFile(member.file, member.reading));
    const reading = { ...mergeReadings(members.map((member) => member.reading)), files, dates, unsent: [] };
    if ("metric" in about) {
      const { scorecard, metric } = about.metric;
      return { result: { scorecard, metric, raw: reading.metrics[metric] ?? {}, reading } };
    }
    return foundProblem(group, reading);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return unmergeable(group, error);
  }
}

function foundProblem({ members }: Group, reading: MergedReading): { readonly problem: FoundProblem } | Conflict {
  const asked = members.flatMap(({ about }) => ("problem" in about ? about.problem : []));
  const type = asked[0]?.type ?? "";
  const { count, severity: gravest, details } = reading.problem ?? { count: 0, details: [] };
  // The service needs a severity, also for a resolved problem, where it has no meaning.
  const severity = asked[0]?.severity ?? gravest ?? (count === 0 ? "info" : undefined);
  if (severity) {
    return { problem: { found: { problem_type: type, severity, count, details: [...details] }, reading } };
  }
  const reason = `${fileNames(reading.files)}: the report names no severity for the problem ${type}`;
  const kind = asked.find((one) => one.kind)?.kind;
  const way = problemClaimText(reading.files[0] ?? "", { type, ...(kind && { kind }), severity: "high" });
  return { message: `${reason}: give one, such as ${way}`, refusal: failed("no-severity", reason) };
}
