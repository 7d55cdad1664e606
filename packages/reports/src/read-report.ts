import { type Asked, isAssumed, takeSilence } from "./assume.ts";
import { decode } from "./decode.ts";
import { type MetricMeasurements, measurementsOf, type RawValues } from "./derive.ts";
import { formatOf, type ReadOptions } from "./detect.ts";
import { Document } from "./document.ts";
import { ReportError, type WayOut } from "./errors.ts";
import { withPossibleFigures } from "./figures.ts";
import { type FindingList, type Problem, problemOf } from "./findings.ts";
import type { Facts, Format } from "./format.ts";
import { type Held, heldIn } from "./held.ts";
import { type AssumedSeverity, type FindingKind, isSeverityMetric, type ReportMetric } from "./kinds.ts";
import { printable } from "./mask.ts";
import { StatedTimes } from "./measured-at.ts";
import { type Measured, measuredValues } from "./measurement.ts";
import { type MetricFindings, metricFindings } from "./metric-findings.ts";
import { metricOf, noteOnStrangers } from "./naming.ts";
import { aboutOther, nothingMeasured, undecided } from "./refusal.ts";
import type { SeverityCounts } from "./severities.ts";
import { isUnscorable, notesOnSeverities, unscorable } from "./unknown-severity.ts";

/** The result of reading a report. All its values were measured, or the caller vouches for them. */
export interface Reading extends Pick<Facts, "coverage" | "load" | "tool"> {
  /** The name of the format. */
  readonly format: string;
  /** Names of the tools without versions, sorted, if the format is that of several tools, such as SARIF. */
  readonly toolNames?: readonly string[];
  /**
   * The metric that was asked for, else that of the report. Absent for a problem, and if the report can be about
   * several.
   */
  readonly metric?: ReportMetric;
  /** The raw values of each metric that the report feeds. */
  readonly metrics: { readonly [metric in ReportMetric]?: RawValues };
  /** The findings of each metric that counts any. */
  readonly findings: MetricFindings;
  /** The kind of findings that was asked for, else that of the report. */
  readonly kind?: FindingKind;
  /** The findings of this kind. */
  readonly problem?: Problem;
  /** The findings with files and lines, by kind. */
  readonly problems: { readonly [kind in FindingKind]?: Problem };
  /**
   * When the tool ran (RFC 3339, in UTC), if the report states it. Of several parts it is the earliest time, because a
   * report is as old as its oldest part.
   */
  readonly measuredAt?: string;
  /** The findings by severity. */
  readonly severities?: SeverityCounts;
  /** What in the report proves that the tool looked for what was asked for. */
  readonly evidence?: string;
  /** What the report does not prove, and the caller vouches for. */
  readonly assumed?: Assumed;
  /** All findings of the report, including those that were not asked for. */
  readonly held: readonly Held[];
  /** What the tool could not do, so that findings may be missing. */
  readonly warnings: readonly string[];
  /** What readers of the result should know. */
  readonly notes: readonly string[];
}

/** What the caller vouches for. */
export interface Assumed {
  /** The tool looked for what was asked for. */
  readonly scanned?: true;
  /** The severity of the findings that have none. */
  readonly severity?: AssumedSeverity;
}

/** Most characters of the name and version of a tool, which come from the report. */
const maxTool = 200;

/**
 * Reads a report. Its content shows which format it has.
 *
 * @param report the bytes of the file, or its text
 * @throws ReportError if it has no known format, is incomplete, or does not prove that the tool looked for what was
 * asked for
 */
export function readReport(report: Uint8Array | string, options: ReadOptions = {}): Reading {
  const document = new Document(decode(report));
  const format = formatOf(document, options);
  return within(format, () => {
    const times = new StatedTimes(format.time, options.now ?? Date.now());
    document.onRecord((record) => times.addRecord(record));
    const shown = format.read(document);
    if (document.root) times.addRoot(document.root.attributes);
    times.addValues(shown.times ?? []);
    const asked = askedOf(shown, format, options);
    const facts = asked && options.assumeScanned ? takeSilence(shown, asked) : shown;
    const measurements = measurementsOf(facts.metrics ?? format.metrics, facts, options.assumeSeverity);
    const metric = asked && "metric" in asked ? asked.metric : undefined;
    const held = heldIn(facts, measurements, metricOf(facts, format, metric));
    if (!asked) refuseUndecided(format, facts, measurements, held, options);
    const proof = asked && proofOf(asked, format, facts, measurements, held);
    if (options.for === "score" && metric && isUnscorable(metric, facts, options)) throw unscorable(facts);
    const assumed = assumedIn(metric, facts, proof, options);
    const isOfImage = metric === undefined ? options.for !== "problem" : metric === "image_scan";
    const notes = [
      ...(facts.notes ?? []),
      ...((isOfImage && facts.imageNotes) || []),
      ...(metric ? [...noteOnStrangers(metric, facts), ...notesOnSeverities(metric, facts, options)] : []),
      ...times.notes,
    ];
    if (document.surrounded) notes.push("text around the JSON was left out");
    if (document.repeated > 0) notes.push(`${document.repeated} repeated, counted once`);
    const problems = problemsOf(facts);
    const kind = kindOf(facts, format, options);
    const problem = kind && problems[kind];
    const { coverage, load, severities, tool, toolNames } = facts;
    const { measuredAt } = times;
    return withPossibleFigures({
      format: format.name,
      ...(tool && { tool: printable(tool, maxTool) }),
      ...(toolNames && { toolNames: [...new Set(toolNames.map((name) => printable(name, maxTool)))].sort() }),
      ...(measuredAt && { measuredAt }),
      ...(metric && { metric }),
      metrics: measuredValues<Record<ReportMetric, RawValues>>(measurements),
      findings: metricFindings(facts, measurements),
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
    });
  });
}

/** The metric or kind that the caller names, else the report, else its format. Undefined if none of them names one. */
function askedOf(facts: Facts, format: Format, options: ReadOptions): Asked | undefined {
  if (options.for === "problem") {
    const kind = kindOf(facts, format, options);
    return kind && { kind };
  }
  const metric = metricOf(facts, format, options.metric);
  return metric && { metric };
}

function kindOf(facts: Facts, format: Format, options: ReadOptions): FindingKind | undefined {
  return options.kind ?? facts.problem ?? format.problem;
}

function problemsOf({ findings = {} }: Facts): Reading["problems"] {
  const lists = Object.entries(measuredValues<Record<FindingKind, FindingList>>(findings));
  return Object.fromEntries(lists.map(([kind, list]) => [kind, problemOf(list)]));
}

/** The measurement of what was asked for. @throws ReportError if the report has none, or it was not measured */
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

/**
 * Refuses a report that can be about several metrics or kinds, of which none was named. It is accepted only if the
 * caller does not ask for a score or a problem, and anything in it was measured.
 */
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

const tooLarge = "has more in it than can be held: give it in several parts";

/**
 * Adds to an error of a format which format the report looks like. A list of 17 million entries without repetition, and a
 * text of 512 MiB, are more than JavaScript can hold, which then throws a `RangeError`.
 */
function within<Result>({ title }: Format, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError)
      throw new ReportError("unreadable-report", `this looks like ${title}, but ${tooLarge}`);
    if (!(error instanceof ReportError) || ["wrong-metric", "undecided"].includes(error.code)) throw error;
    throw new ReportError(error.code, `this looks like ${title}, but ${error.message}`, error.waysOut);
  }
}
