import { describe } from "./describe.ts";
import type { Document, EmptyForm } from "./document.ts";
import { ReportError } from "./errors.ts";
import type { Format, ReportMetric } from "./format.ts";
import { formats as allFormats } from "./formats.ts";

/** What the caller knows about the report. Without any of it the content decides. */
export interface ReadOptions {
  /** The metric it shall feed; refused when it cannot. */
  readonly metric?: ReportMetric;
  /** The name of its format. */
  readonly format?: string;
  /** What it is read for; `problem` refuses a report that lists no findings with their places. */
  readonly for?: "score" | "problem";
  /** The formats to choose from, all of this package when left out. */
  readonly formats?: readonly Format[];
}

/**
 * The format of a report: the one that is named, or the first that it looks like.
 *
 * @throws ReportError when there is none, or it cannot be used for what was asked
 */
export function formatOf(document: Document, options: ReadOptions): Format {
  const formats = options.formats ?? allFormats;
  const named = options.format === undefined ? undefined : formats.find(({ name }) => name === options.format);
  if (options.format !== undefined && !named) {
    throw new ReportError(
      "unknown-format",
      `there is no format ${JSON.stringify(options.format)}; there are ${namesOf(formats)}`,
    );
  }
  if (document.empty) return formatOfEmpty(document.empty, named, formats, options);
  const found = named?.looksLike(document) ? named : formats.find((format) => format.looksLike(document));
  if (named && found !== named) {
    throw new ReportError(
      "unreadable-report",
      `this is no ${named.title}: it looks like ${found ? found.title : describe(document)}`,
    );
  }
  if (!found) {
    throw new ReportError(
      "unknown-format",
      `this looks like ${describe(document)}; known are ${namesOf(formats.filter((format) => fits(format, options)))}`,
    );
  }
  if (!fits(found, options)) throw unfit(found, options);
  return found;
}

function formatOfEmpty(
  form: EmptyForm,
  named: Format | undefined,
  formats: readonly Format[],
  options: ReadOptions,
): Format {
  if (named) {
    if (named.empty?.[form]) return named;
    throw new ReportError(
      "empty-report",
      `the report is ${form}, which ${named.title} never is, even with nothing found`,
    );
  }
  const asked = options.metric !== undefined || options.for === "problem";
  const meant = formats.find(({ empty, ...format }) => asked && empty?.[form] === "metric" && fits(format, options));
  if (meant) return meant;
  const candidates = formats.filter((format) => format.empty?.[form] && fits(format, options));
  throw new ReportError(
    "empty-report",
    `the report is ${form}, which does not say whether anything was scanned${
      candidates.length > 0
        ? `; if this is how your tool says that it found nothing, name the format: ${namesOf(candidates)}`
        : ""
    }`,
  );
}

function namesOf(formats: readonly Format[]): string {
  return formats.map(({ name }) => name).join(", ");
}

function fits({ metrics, problems }: Pick<Format, "metrics" | "problems">, options: ReadOptions): boolean {
  if (options.for === "problem" && !problems) return false;
  return options.metric === undefined || metrics.includes(options.metric);
}

/** The error of a report that says nothing about what was asked for. */
export function unfit({ title, metrics }: Format, options: ReadOptions, metric?: ReportMetric): ReportError {
  return new ReportError(
    "wrong-metric",
    options.for === "problem"
      ? `${title} lists no findings with their files`
      : `this ${title} report is about ${metric ?? metrics.join(", ")}, not ${options.metric}`,
  );
}
