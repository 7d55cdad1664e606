import type { Reading, ReadOptions, ReportMetric } from "@maturity/reports";
import type { Context } from "./context.ts";
import { readReportFiles } from "./report-files.ts";

/** What one or several reports say about a metric. */
export interface MergedReading extends Reading {
  /** The files it was read from, as they were given. */
  readonly files: readonly string[];
}

/** What of a reading is told to machines. */
export interface ReportSummary {
  readonly files: readonly string[];
  readonly format: string;
  readonly tool?: string;
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
  const groups = new Map<ReportMetric, { files: string[]; readings: Reading[] }>();
  for (const { name, bytes } of await readReportFiles(args, context)) {
    try {
      const reading = readReport(bytes, options);
      const group = groups.get(reading.metric) ?? { files: [], readings: [] };
      group.files.push(name);
      group.readings.push(reading);
      groups.set(reading.metric, group);
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      throw new ReportError(error.code, `${name === "-" ? "standard input" : name}: ${error.message}`);
    }
  }
  return [...groups.values()].map(({ files, readings }) => ({ ...mergeReadings(readings), files }));
}

export function summaryOf({ files, format, tool, notes }: MergedReading): ReportSummary {
  return { files, format, ...(tool && { tool }), notes };
}
