import type { Assumed, Reading, ReadOptions } from "@maturity/reports";
import type { Context } from "./context.ts";
import { Copies, contentOf, copyText } from "./copies.ts";
import type { Output } from "./output.ts";
import { expandFileNames, readReportFile, spokenName } from "./report-files.ts";
import { type Unsent, unsentOf } from "./unsent.ts";
import { inFlags, tryingToRead } from "./ways-out.ts";

/** What one or several reports say about a metric. */
export interface MergedReading extends Reading {
  /** The files it was read from, as they were given. */
  readonly files: readonly string[];
  /** Findings of the files that are for something else. */
  readonly unsent: readonly Unsent[];
}

/** What of a reading is told to machines. */
export interface ReportSummary {
  readonly files: readonly string[];
  readonly format: string;
  readonly tool?: string;
  /** What in the reports shows that it was looked for. */
  readonly evidence?: string;
  /** What nothing but the caller's word shows. */
  readonly assumed?: Assumed;
  /** What the tools could not do, so that the values may lack something. */
  readonly warnings?: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Reads reports and makes those of one metric one: the shards of a scan, or of a test run. Without a metric in the options
 * each report decides. A copy of a report counts once, and a note names it.
 *
 * @throws ReportError naming the file
 */
export async function readReports(
  args: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<MergedReading[]> {
  const { mergeReadings, ReportError, readReport } = await import("@maturity/reports");
  const groups = new Map<string, { files: string[]; readings: Reading[]; unsent: Unsent[]; copies: string[] }>();
  const copies = new Copies();
  for (const name of await expandFileNames(args, context.cwd)) {
    const bytes = await readReportFile(name, context);
    try {
      const reading = readReport(bytes, options);
      const about = reading.metric ?? reading.kind ?? "";
      const group = groups.get(about) ?? { files: [], readings: [], unsent: [], copies: [] };
      groups.set(about, group);
      const original = copies.originalOf(name, await contentOf(bytes), `${reading.format} ${about}`);
      if (original !== undefined) {
        group.copies.push(copyText(name, original));
        continue;
      }
      group.files.push(name);
      group.readings.push(reading);
      group.unsent.push(...unsentOf(reading, name, options.for));
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      const attempt = tryingToRead((other) => readReport(bytes, other), options);
      const ways = error.waysOut.filter((way) => attempt(way));
      throw new ReportError(error.code, `${spokenName(name)}: ${error.message}${inFlags(ways)}`);
    }
  }
  return [...groups.values()].map(({ files, readings, unsent, copies }) => {
    const reading = mergeReadings(readings);
    return { ...reading, files, unsent, notes: [...reading.notes, ...copies] };
  });
}

/** Says once what is to be known of readings, and first what they may lack. */
export function tellReadings(readings: readonly Pick<Reading, "warnings" | "notes">[], output: Output): void {
  for (const warning of new Set(readings.flatMap(({ warnings }) => warnings))) output.warn(warning);
  for (const note of new Set(readings.flatMap(({ notes }) => notes))) output.note(note);
}

export function summaryOf({ files, format, tool, evidence, assumed, warnings, notes }: MergedReading): ReportSummary {
  return {
    files,
    format,
    ...(tool && { tool }),
    ...(evidence && { evidence }),
    ...(assumed && { assumed }),
    ...(warnings.length > 0 && { warnings }),
    notes,
  };
}
