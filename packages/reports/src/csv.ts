import Papa from "papaparse";
import { unreadable } from "./errors.ts";

/** The cells of the first line that is not empty. */
export function csvHeader(text: string, delimiter: string): readonly string[] {
  const [line = ""] = text.slice(0, maxHeader).trimStart().split(/\r?\n/, 1);
  return Papa.parse<string[]>(line, { delimiter, preview: 1 }).data[0] ?? [];
}

/** Characters in which the header is looked for. */
const maxHeader = 10_000;

/** Returns the cell of a row in a column. Undefined if there is no such column. */
export type Cells = (column: string) => string | undefined;

/**
 * Visits the rows of a CSV text below its header without holding them in memory. Quoted cells may contain delimiters,
 * quotes and line breaks. Empty rows are skipped, and so are repeated headers, because several files may have been put
 * into one.
 *
 * @param visit called with the cells of each row, its number, and whether it is the first below a header; the first header
 * is row 1
 * @throws ReportError if a row has more or fewer cells than the header, or a quote is never closed. Also if the same
 * file was put into this one twice: two headers are followed by the same row.
 */
export function visitCsv(
  text: string,
  delimiter: string,
  visit: (cells: Cells, row: number, isFirst: boolean) => void,
): void {
  let header: readonly string[] | undefined;
  let indexes = new Map<string, number>();
  let current: readonly string[] = [];
  const firsts = new Set<string>();
  let begins = true;
  let row = 0;
  const cells: Cells = (column) => current[indexes.get(column) ?? -1];
  Papa.parse<string[]>(text.replaceAll("\r\n", "\n"), {
    delimiter,
    newline: "\n",
    fastMode: false,
    step({ data, errors: [error] }) {
      row++;
      if (error) throw unreadable(`is cut off or malformed at a quote in row ${row}`);
      if (data.length === 1 && data[0] === "") return;
      if (!header) {
        header = data;
        indexes = new Map(data.map((column, index) => [column, index]));
      } else if (data.length !== header.length) {
        throw unreadable(`is cut off or malformed: row ${row} has ${data.length} cells, the header ${header.length}`);
      } else if (isSame(data, header)) {
        begins = true;
      } else {
        const isFirst = begins;
        if (begins) {
          const first = JSON.stringify(data);
          if (firsts.has(first)) throw unreadable(`holds the same report twice: again from row ${row} on`);
          firsts.add(first);
          begins = false;
        }
        current = data;
        visit(cells, row, isFirst);
      }
    },
  });
}

function isSame(row: readonly string[], other: readonly string[] | undefined): boolean {
  return row.every((cell, index) => cell === other?.[index]);
}
