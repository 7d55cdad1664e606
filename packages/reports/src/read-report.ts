import { decode } from "./decode.ts";
import { metricsOf, type RawValues } from "./derive.ts";
import { formatOf, type ReadOptions, unfit } from "./detect.ts";
import { Document } from "./document.ts";
import { ReportError } from "./errors.ts";
import type { Facts, Format, ReportMetric } from "./format.ts";
import { printable } from "./mask.ts";

/** A report, read. */
export interface Reading extends Omit<Facts, "metric" | "notes"> {
  /** The name of the format. */
  readonly format: string;
  /** The metric that was asked for, else the one this report is about. */
  readonly metric: ReportMetric;
  /** The raw values of each metric that it can feed. */
  readonly metrics: { readonly [metric in ReportMetric]?: RawValues };
  readonly notes: readonly string[];
}

/** Names and versions of tools come out of the report; none is longer. */
const maxTool = 200;

/**
 * Reads a report of any of the formats, told by its content.
 *
 * @param report the bytes of the file, or its text
 * @throws ReportError when it is none of them, is incomplete, or says nothing about what was asked for
 */
export function readReport(report: Uint8Array | string, options: ReadOptions = {}): Reading {
  const document = new Document(decode(report));
  const format = formatOf(document, options);
  return within(format, () => {
    const { metric = format.metrics[0], notes = [], tool, ...facts } = format.read(document);
    const metrics = metricsOf(format.metrics, facts);
    const asked = options.metric ?? metric;
    if (asked === undefined || (options.metric && !metrics[asked])) throw unfit(format, options, metric);
    const surrounded = document.surrounded ? ["text around the JSON was left out"] : [];
    return {
      ...facts,
      ...(tool && { tool: printable(tool, maxTool) }),
      format: format.name,
      metric: asked,
      metrics,
      notes: [...notes, ...(options.for === "problem" ? [] : notesOn(asked, facts)), ...surrounded],
    };
  });
}

/** What is to be known about the raw values of a metric, whichever tool they come from. */
function notesOn(metric: ReportMetric, { severities, secrets, problem }: Facts): string[] {
  const notes: string[] = [];
  if (metric === "secret_scan") {
    const clean = secrets?.count === 0 && secrets !== problem;
    return clean ? ["no secret is listed, though the report does not say whether any were looked for"] : [];
  }
  if (!severities) return notes;
  const { critical, unknown } = severities;
  if (metric === "dast" && critical > 0) notes.push(`${critical} critical, counted as high: dast has no critical`);
  if (unknown > 0) notes.push(`${unknown} of unknown severity, not scored`);
  return notes;
}

/** Lets an error of a reader say which format the report looked like. */
function within<Result>({ title }: Format, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReportError) || error.code === "wrong-metric") throw error;
    throw new ReportError(error.code, `this looks like ${title}, but ${error.message}`);
  }
}
