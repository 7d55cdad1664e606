import { type Asked, isAssumed, takeSilence } from "./assume.ts";
import { decode } from "./decode.ts";
import { type MetricMeasurements, measurementsOf, type RawValues } from "./derive.ts";
import { formatOf, type ReadOptions } from "./detect.ts";
import { Document } from "./document.ts";
import { ReportError, unreadable, type WayOut } from "./errors.ts";
import type { Problem } from "./findings.ts";
import type { Facts, Format } from "./format.ts";
import { type Held, heldIn } from "./held.ts";
import { type AssumedSeverity, type FindingKind, isSeverityMetric, type ReportMetric } from "./kinds.ts";
import { printable } from "./mask.ts";
import { type Measured, measuredValues } from "./measurement.ts";
import { aboutOther, nothingMeasured, undecided } from "./refusal.ts";
import type { SeverityCounts } from "./severities.ts";
import { isUnscorable, notesOnSeverities, unscorable } from "./unknown-severity.ts";

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
  /** What of it nothing but the caller's word shows. */
  readonly assumed?: Assumed;
  /** All findings of the report, also those that were not asked for. */
  readonly held: readonly Held[];
  /** What the tool could not do, so that the values may lack something. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** What the caller vouches for. */
export interface Assumed {
  /** That it was looked for what was asked for. */
  readonly scanned?: true;
  /** That this is the severity of the findings that have none. */
  readonly severity?: AssumedSeverity;
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
    const measurements = measurementsOf(facts.metrics ?? format.metrics, facts, options.assumeSeverity);
    const metric = asked && "metric" in asked ? asked.metric : undefined;
    const held = heldIn(facts, measurements, metric ?? facts.metric ?? format.metric);
    if (!asked) refuseUndecided(format, facts, measurements, held, options);
    const proof = asked && proofOf(asked, format, facts, measurements, held);
    if (options.for === "score" && metric && isUnscorable(metric, facts, options)) throw unscorable(facts);
    const assumed = assumedIn(metric, facts, proof, options);
    const isOfImage = metric === undefined ? options.for !== "problem" : metric === "image_scan";
    const notes = [
      ...(facts.notes ?? []),
      ...((isOfImage && facts.imageNotes) || []),
      ...(metric ? notesOnSeverities(metric, facts, options) : []),
    ];
    if (document.surrounded) notes.push("text around the JSON was left out");
    const problems = measuredValues<Record<FindingKind, Problem>>(facts.findings ?? {});
    const kind = kindOf(facts, format, options);
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
      ...(Object.keys(assumed).length > 0 && { assumed }),
      held,
      warnings: facts.warnings ?? [],
      notes,
    };
  });
}

/** What the caller, the report or its format names; undefined when the report can be about several things. */
function askedOf(facts: Facts, format: Format, options: ReadOptions): Asked | undefined {
  if (options.for === "problem") {
    const kind = kindOf(facts, format, options);
    return kind && { kind };
  }
  const metric = options.metric ?? facts.metric ?? format.metric;
  return metric && { metric };
}

function kindOf(facts: Facts, format: Format, options: ReadOptions): FindingKind | undefined {
  return options.kind ?? facts.problem ?? format.problem;
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
  facts: Facts,
  measurements: MetricMeasurements,
  held: readonly Held[],
  options: ReadOptions,
): void {
  const { findings = {} } = facts;
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
  const feasible = byMetric.flatMap(([metric, { measured }]): WayOut[] => {
    if (!measured) return [];
    return isUnscorable(metric, facts, options) ? [{ metric, assumeSeverity: "high" }] : [{ metric }];
  });
  if (feasible.length > 0) throw undecided(format, feasible, []);
  const [[, unmeasured] = []] = byMetric;
  throw nothingMeasured(unmeasured && !unmeasured.measured ? unmeasured.missing : "feeds no metric", held);
}

function assumedIn(
  metric: ReportMetric | undefined,
  { severities }: Facts,
  proof: Measured<unknown> | undefined,
  { assumeSeverity }: ReadOptions,
): Assumed {
  const isUnknown = isSeverityMetric(metric) && severities?.measured && severities.value.unknown > 0;
  return {
    ...(proof && isAssumed(proof) && { scanned: true }),
    ...(isUnknown && assumeSeverity && { severity: assumeSeverity }),
  };
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
