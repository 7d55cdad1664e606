import { describe } from "./describe.ts";
import type { Document, EmptyForm } from "./document.ts";
import { ReportError } from "./errors.ts";
import type { Format } from "./format.ts";
import { formats as allFormats } from "./formats.ts";
import { nearestByContent, nearestByName } from "./nearest.ts";
import type { ReadHints } from "./options.ts";
import { aboutOther } from "./refusal.ts";

/** Options of `readReport`. */
export interface ReadOptions extends ReadHints {
  /** The formats to choose from. The default is all formats of this package. */
  readonly formats?: readonly Format[];
  /** The present, in milliseconds since 1970. A report cannot state a later time. The default is the clock. */
  readonly now?: number;
}

/**
 * Finds the format of a report: named by the options, or the first that the report looks like.
 *
 * @throws ReportError if there is none, or if its reports do not have what the options ask for
 */
export function formatOf(document: Document, options: ReadOptions): Format {
  const formats = options.formats ?? allFormats;
  const named = formats.find(({ name }) => name === options.format);
  if (options.format !== undefined && !named) {
    throw new ReportError(
      "unknown-format",
      `there is no format ${JSON.stringify(options.format)}; the nearest are ${namesOf(nearestByName(options.format, formats))}`,
    );
  }
  if (document.empty) return formatOfEmpty(document, document.empty, named, formats, options);
  const found = named?.looksLike(document) ? named : formats.find((format) => format.looksLike(document));
  if (named && found !== named) {
    throw new ReportError(
      "unreadable-report",
      `this is no ${named.title}: it looks like ${found ? found.title : describe(document).what}`,
    );
  }
  if (!found) {
    const { what, known } = describe(document);
    const step = known === "text" ? ["have the tool write its report in a format that is read"] : [];
    const advice = adviceOn(document, known === "kind", formats, options);
    throw new ReportError("unknown-format", [`this looks like ${what}`, ...step, ...advice].join("; "));
  }
  if (!fits(found, options)) throw aboutOther(found, options);
  return found;
}

function formatOfEmpty(
  { text }: Document,
  form: EmptyForm,
  named: Format | undefined,
  formats: readonly Format[],
  options: ReadOptions,
): Format {
  const said = form !== "blank" ? `is ${form}` : text === "" ? "is empty" : "holds only white space";
  if (named) {
    if (named.empty?.[form]) return named;
    throw new ReportError(
      "empty-report",
      `the report ${said}; ${named.title} writes something else, even with nothing found`,
    );
  }
  const asked = (options.for === "problem" ? options.kind : options.metric) !== undefined;
  const meant = formats.find(({ empty, ...format }) => asked && empty?.[form] === "metric" && fits(format, options));
  if (meant) return meant;
  const candidates = formats.filter((format) => format.empty?.[form] && fits(format, options));
  const step =
    candidates.length > 0
      ? `if this is how your tool says that it found nothing, name the format: ${namesOf(candidates)}`
      : "look why the tool wrote nothing else";
  throw new ReportError(
    "empty-report",
    `the report ${said}, which does not say whether anything was scanned; ${step}`,
    candidates.map(({ name }) => ({ format: name })),
  );
}

/**
 * The formats to name in the error about an unknown format: those of what was asked for, else the nearest ones. A file of
 * a known kind is near none.
 */
function adviceOn({ text }: Document, isKnown: boolean, formats: readonly Format[], options: ReadOptions): string[] {
  const { metric, kind } = options;
  const asked = metric ?? (options.for === "problem" ? `a problem${kind ? ` of ${kind}` : ""}` : undefined);
  if (asked) return [`formats of ${asked} are ${namesOf(formats.filter((format) => fits(format, options)))}`];
  if (isKnown) return [];
  const near = nearestByContent(text, formats);
  return [near.length > 0 ? `the nearest formats are ${namesOf(near)}` : "it is near none of the formats"];
}

function namesOf(formats: readonly Format[]): string {
  return formats.map(({ name }) => name).join(", ");
}

type Uses = Pick<Format, "metrics" | "problems">;

function fits({ metrics, problems = [] }: Uses, { metric, kind, ...options }: ReadOptions): boolean {
  if (options.for === "problem") return kind === undefined ? problems.length > 0 : problems.includes(kind);
  return metric === undefined || metrics.includes(metric);
}
