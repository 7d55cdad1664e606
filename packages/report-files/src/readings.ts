import type { Assumed, Reading, ReadOptions } from "@maturity/reports";
import { type DatedFile, datedFile, withAge } from "./ages.ts";
import { Copies, contentOf, copyText } from "./copies.ts";
import { claimText } from "./refusals.ts";
import { expandFileNames, readReportFile, type Sources, spokenName } from "./report-files.ts";
import { type Unsent, unsentOf } from "./unsent.ts";
import { inFlags, tryingToRead } from "./ways-out.ts";
import { bothFor, type Source, writerOf } from "./writers.ts";

/** What the reports of one metric, or of one kind of findings, say together. */
export interface MergedReading extends Reading {
  /** The files, as the caller named them. */
  readonly files: readonly string[];
  /** When the tool ran that wrote each of the files. */
  readonly dates: readonly DatedFile[];
  /** Findings of the files that belong to another metric or problem. */
  readonly unsent: readonly Unsent[];
}

/** The reports of one metric, or of one kind of findings, before they are merged. */
interface Group {
  readonly members: Source[];
  /** The notes on copies. */
  readonly copies: string[];
}

/** What `--json` shows of a reading. */
export interface ReportSummary {
  readonly files: readonly string[];
  readonly format: string;
  readonly tool?: string;
  /** When the tool ran, if the reports state it. Of several it is the earliest time. */
  readonly measured_at?: string;
  /** What in the reports proves that the tool looked for such findings. */
  readonly evidence?: string;
  /** What the reports do not prove and the caller vouched for, by `--assume-scanned` or `--assume-severity`. */
  readonly assumed?: Assumed;
  /** What the tools could not do, so that findings may be missing. */
  readonly warnings?: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Reads reports, and merges those of the same metric, such as the shards of a scan or of a test run. If the options
 * name no metric, each report decides which one it is about. A copy of a report is left out, and a note says so.
 * Reports of two tools are not merged.
 *
 * @param args paths, patterns, and `-` for standard input
 * @throws UsageError if a file cannot be read
 * @throws ReportError that names the files and the flags that would help
 */
export async function readReports(
  args: readonly string[],
  options: ReadOptions,
  sources: Sources,
): Promise<MergedReading[]> {
  const { mergeReadings, ReportError, readReport } = await import("@maturity/reports");
  const groups = new Map<string, Group>();
  const now = sources.now();
  const copies = new Copies();
  for (const name of await expandFileNames(args, sources.cwd)) {
    const bytes = await readReportFile(name, sources);
    try {
      const reading = withAge(readReport(bytes, { ...options, now }), now);
      const about = reading.metric ?? reading.kind ?? "";
      const group = groups.get(about) ?? { members: [], copies: [] };
      groups.set(about, group);
      const original = copies.originalOf(name, await contentOf(bytes), `${reading.format} ${about}`);
      if (original !== undefined) {
        group.copies.push(copyText(name, original));
        continue;
      }
      group.members.push({ file: name, reading });
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      const attempt = tryingToRead((other) => readReport(bytes, other), options);
      const ways = error.waysOut.filter((way) => attempt(way));
      throw new ReportError(error.code, `${spokenName(name)}: ${error.message}${inFlags(ways)}`);
    }
  }
  return [...groups.values()].map(({ members, copies }) => {
    const conflict = conflictOf(members);
    if (conflict !== undefined) throw new ReportError("not-mergeable", conflict);
    const reading = mergeReadings(members.map((member) => member.reading));
    return {
      ...reading,
      files: members.map(({ file }) => file),
      dates: members.map((member) => datedFile(member.file, member.reading)),
      unsent: members.flatMap((member) => unsentOf(member.reading, member.file, options.for)),
      notes: [...reading.notes, ...copies],
    };
  });
}

/** Why reports of two tools are not merged. Undefined if all are of one tool. */
function conflictOf([one, ...others]: readonly Source[]): string | undefined {
  const other = one && others.find((member) => writerOf(member) !== writerOf(one));
  if (!other) return undefined;
  const { metric, load } = one.reading;
  if (!metric) return `${bothFor(one, other, "one problem")}: give each a --type of its own`;
  const claims = [one, other].map(({ file }) => claimText("--metric", file, metric)).join(" ");
  return `${bothFor(one, other, metric)}: leave one out${load ? "" : `, or have them added up by ${claims}`}`;
}

/** What `--json` shows of a reading. */
export function summaryOf(reading: MergedReading): ReportSummary {
  const { files, format, tool, measuredAt, evidence, assumed, warnings, notes } = reading;
  return {
    files,
    format,
    ...(tool && { tool }),
    ...(measuredAt && { measured_at: measuredAt }),
    ...(evidence && { evidence }),
    ...(assumed && { assumed }),
    ...(warnings.length > 0 && { warnings }),
    notes,
  };
}
