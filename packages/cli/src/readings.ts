import type { Reading, ReadOptions } from "@maturity/reports";
import type { Context } from "./context.ts";
import { readReportFiles } from "./report-files.ts";
import { type Unsent, unsentOf } from "./unsent.ts";
import { inFlags } from "./ways-out.ts";

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
  readonly notes: readonly string[];
}

/**
 * Reads reports and makes those of one metric one: the shards of a scan, or of a test run. Without a metric in the options
 * each report decides.
 *
 * @throws ReportError naming the file
 */
export async function readReports(
  args: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<MergedReading[]> {
  const { mergeReadings, ReportError, readReport } = await import("@maturity/reports");
  const groups = new Map<string, { files: string[]; readings: Reading[]; unsent: Unsent[] }>();
  for (const { name, bytes } of await readReportFiles(args, context)) {
    try {
      const reading = readReport(bytes, options);
      const about = reading.metric ?? reading.kind ?? "";
      const group = groups.get(about) ?? { files: [], readings: [], unsent: [] };
      group.files.push(name);
      group.readings.push(reading);
      group.unsent.push(...unsentOf(reading, name, options.for));
      groups.set(about, group);
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      const place = name === "-" ? "standard input" : name;
      throw new ReportError(error.code, `${place}: ${error.message}${inFlags(error.waysOut)}`);
    }
  }
  return [...groups.values()].map(({ files, readings, unsent }) => ({ ...mergeReadings(readings), files, unsent }));
}

export function summaryOf({ files, format, tool, evidence, notes }: MergedReading): ReportSummary {
  return { files, format, ...(tool && { tool }), ...(evidence && { evidence }), notes };
}
