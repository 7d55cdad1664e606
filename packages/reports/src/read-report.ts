import { type Asked, isAssumed, takeSilence } from "./assume.ts";
import { decode } from "./decode.ts";
import { type MetricMeasurements, measurementsOf, type RawValues } from "./derive.ts";
import { formatOf, type ReadOptions } from "./detect.ts";
import { Document } from "./document.ts";
import { ReportError, unreadable } from "./errors.ts";
import type { Problem } from "./findings.ts";
import type { Facts, FindingKind, Format, ReportMetric } from "./format.ts";
import { type Held, heldIn } from "./held.ts";
import { printable } from "./mask.ts";
import { type Measured, measuredValues } from "./measurement.ts";
import { aboutOther, nothingMeasured, undecided } from "./refusal.ts";
import type { SeverityCounts } from "./severities.ts";

/** A report, read. It has no value that was not measured, unless the caller gave his word for it. */
export interface Reading extends Pick<Facts, "coverage" | "load" | "tool"> {
  /** The name of the format. */
  readonly format: string;
  /** The metric that was asked for, else the one this report is about; absent for a problem, and where it can be several. */
  readonly metric?: ReportMetric;
  /** The raw values of each metric that it feeds. */
  readonly metrics: { readonly [metric in ReportMetric]?: RawValues };
  /** The kind of findings that was asked for, else the one the tool is made for. */
  readonly kind?: FindingKind;
  /** The findings of this kind. */
  readonly problem?: Problem;
  /** The findings with their places, by kind. */
  readonly problems: { readonly [kind in FindingKind]?: Problem };
  readonly severities?: SeverityCounts;
  /** What shows that it was looked for what was asked for. */
  readonly evidence?: string;
  /** Whether nothing but the caller's word shows it. */
  readonly assumed?: true;
  /** All findings of the report, also those that were not asked for. */
  readonly held: readonly Held[];
  readonly notes: readonly string[];
}

/** Names and versions of tools come out of the report; none is longer. */
const maxTool = 200;

/**
 * Reads a report of any of the formats, told by its content.
 *
 * @param report the bytes of the file, or its text
 * @throws ReportError when it is none of them, is incomplete, or does not show that what was asked for was looked for
 */
export function readReport(report: Uint8Array | string, options: ReadOptions = {}): Reading {
  const document = new Document(decode(report));
  const format = formatOf(document, options);
  return within(format, () => {
    const shown = format.read(document);
    if (document.repeated && !format.streams) throw unreadable("holds the same report twice");
    const asked = askedOf(shown, format, options);
    const facts = asked && options.assumeScanned ? takeSilence(shown, asked) : shown;
    const measurements = measurementsOf(facts.metrics ?? format.metrics, facts);
    const metric = asked && "metric" in asked ? asked.metric : undefined;
    const held = heldIn(facts, measurements, metric ?? facts.metric ?? format.metric);
    if (!asked) refuseUndecided(format, facts, measurements, held, options);
    const proof = asked && proofOf(asked, format, facts, measurements, held);
    const notes = [...(facts.notes ?? []), ...(metric ? notesOn(metric, facts) : [])];
    if (document.surrounded) notes.push("text around the JSON was left out");
    const problems = measuredValues<Record<FindingKind, Problem>>(facts.findings ?? {});
    const kind = options.kind ?? format.problem;
    const problem = kind && problems[kind];
    const { coverage, load, severities, tool } = facts;
    return {
      format: format.name,
      ...(tool && { tool: printable(tool, maxTool) }),
      ...(metric && { metric }),
      metrics: measuredValues<Record<ReportMetric, RawValues>>(measurements),
      ...(kind && { kind }),
      ...(problem && { problem }),
      problems,
      ...(severities?.measured && { severities: severities.value }),
      ...(coverage && { coverage }),
      ...(load && { load }),
      ...(proof && { evidence: proof.evidence }),
      ...(proof && isAssumed(proof) && { assumed: true }),
      held,
      notes,
    };
  });
}

/** What the caller, the report or its format names; undefined when the report can be about several things. */
function askedOf(facts: Facts, format: Format, options: ReadOptions): Asked | undefined {
  if (options.for === "problem") {
    const kind = options.kind ?? format.problem;
    return kind && { kind };
  }
  const metric = options.metric ?? facts.metric ?? format.metric;
  return metric && { metric };
}

/** The only way from what was asked for to its value: it was measured. */
function proofOf(
  asked: Asked,
  format: Format,
  { findings = {}, metrics = format.metrics }: Facts,
  measurements: MetricMeasurements,
  held: readonly Held[],
): Measured<unknown> {
  const measurement = "kind" in asked ? findings[asked.kind] : measurements[asked.metric];
  const problems = Object.keys(findings) as FindingKind[];
  if (!measurement)
    throw aboutOther({ ...format, metrics, problems }, { ...asked, for: "kind" in asked ? "problem" : "score" });
  if (!measurement.measured) throw nothingMeasured(measurement.missing, held, asked);
  return measurement;
}

/** A report that can be about several things is read without any of them, unless it shows none, or one has to be chosen. */
function refuseUndecided(
  format: Format,
  { findings = {} }: Facts,
  measurements: MetricMeasurements,
  held: readonly Held[],
  options: ReadOptions,
): void {
  const byMetric = Object.entries(measurements) as [ReportMetric, MetricMeasurements[ReportMetric] & object][];
  const all = [...(options.for === "problem" ? [] : byMetric.map(([, each]) => each)), ...Object.values(findings)];
  const [first] = all;
  if (all.every(({ measured }) => !measured)) {
    throw nothingMeasured(first && !first.measured ? first.missing : "holds nothing that can be used", held);
  }
  if (options.for === "problem") {
    const shown = (format.problems ?? []).filter((kind) => findings[kind]?.measured);
    throw undecided(
      format,
      shown.map((kind) => ({ kind })),
      held,
    );
  }
  if (options.for !== "score") return;
  const feasible = byMetric.flatMap(([metric, { measured }]) => (measured ? [{ metric }] : []));
  if (feasible.length > 0) throw undecided(format, feasible, []);
  const [[, unmeasured] = []] = byMetric;
  throw nothingMeasured(unmeasured && !unmeasured.measured ? unmeasured.missing : "feeds no metric", held);
}

/** What is to be known about the raw values of a metric, whichever tool they come from. */
function notesOn(metric: ReportMetric, { severities }: Facts): string[] {
  if (metric === "secret_scan" || !severities?.measured) return [];
  const notes: string[] = [];
  const { critical, unknown } = severities.value;
  const total = Object.values(severities.value).reduce((sum, count) => sum + count, 0);
  if (metric === "dast" && critical > 0) notes.push(`${critical} critical, counted as high: dast has no critical`);
  if (unknown > 0 && unknown === total) {
    notes.push(`no finding has a severity (${total} unknown), so the score says nothing of them`);
  } else if (unknown > 0) notes.push(`${unknown} of unknown severity, not scored`);
  return notes;
}

/** Lets an error of a reader say which format the report looked like. */
function within<Result>({ title }: Format, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReportError) || ["wrong-metric", "undecided"].includes(error.code)) throw error;
    throw new ReportError(error.code, `this looks like ${title}, but ${error.message}`, error.waysOut);
  }
}
