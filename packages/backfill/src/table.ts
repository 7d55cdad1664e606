import { UsageError } from "@maturity/command-line/usage-error";
import Papa from "papaparse";

/** A row of a table. */
export interface Row {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why it cannot be read. Then it has no fields. */
  readonly fault?: string;
}

const listRefused =
  "the table is a list in JSON: give NDJSON, with each object in a line of its own, or CSV with a header";

/** The apostrophe that the lists of the service put before a text that a spreadsheet would run as a formula. */
const addedApostrophe = /^'(?='*\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/;

/**
 * The rows of a text in NDJSON, if it begins with a brace, else in CSV with a header. Empty lines are left out.
 *
 * @throws UsageError if a column stands there twice, or the text is a list in JSON
 */
export function rowsOf(text: string): Iterable<Row> {
  if (/^\uFEFF?\s*\[/.test(text)) throw new UsageError(listRefused);
  return /^\uFEFF?\s*\{/.test(text) ? jsonRows(text.replace(/^\uFEFF/, "")) : csvRows(text);
}

function* jsonRows(text: string): Generator<Row> {
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    yield { line: index + 1, ...parsed(line) };
  }
}

function parsed(line: string): Omit<Row, "line"> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { fields: value as Row["fields"] };
    }
  } catch {
    // The fault below says the same of both.
  }
  return { fields: {}, fault: "must be an object in JSON, in a line of its own" };
}

function csvRows(text: string): Row[] {
  const rows: Row[] = [];
  let header: readonly string[] | undefined;
  let line = 1;
  const { delimiter } = Papa.parse(/.+/.exec(text)?.[0] ?? "").meta; // the header's, since names may hold another one
  Papa.parse<string[]>(text, {
    delimiter,
    step({ data, errors, meta }) {
      const at = line;
      line += data.reduce((sum, cell) => sum + cell.split(meta.linebreak).length - 1, 1);
      const cells = data.map((cell) => cell.trim().replace(addedApostrophe, ""));
      if (cells.every((cell) => cell === "")) return;
      if (!header) {
        header = requireOnce(cells);
        return;
      }
      const names = header;
      const isQuoted = errors.some(({ type }) => type === "Quotes");
      const fault = isQuoted
        ? "a quote in it is not closed, or stands in the middle of a cell"
        : cells.length === names.length
          ? undefined
          : `has ${cells.length} cells, and the first row ${names.length}`;
      if (fault) rows.push({ line: at, fields: {}, fault });
      else rows.push({ line: at, fields: Object.fromEntries(names.map((name, index) => [name, cells[index]])) });
    },
  });
  return rows;
}

function requireOnce(names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`the column ${JSON.stringify(twice)} stands there twice`);
  return names;
}
