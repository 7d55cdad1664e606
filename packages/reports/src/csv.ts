import Papa from "papaparse";
import { unreadable } from "./errors.ts";

/** The cells of the first line of a text that is not empty. */
export function csvHeader(text: string, delimiter: string): readonly string[] {
  const [line = ""] = text.slice(0, maxHeader).trimStart().split(/\r?\n/, 1);
  return Papa.parse<string[]>(line, { delimiter, preview: 1 }).data[0] ?? [];
}

const maxHeader = 10_000;

/** The cell of a row in a column; undefined when there is no such column. */
export type Cells = (column: string) => string | undefined;

/**
 * Walks through the rows of a CSV text under its header, empty ones left out, without ever holding all of them. Cells may
 * be quoted, and then hold delimiters, quotes and line breaks. A header that is repeated is left out too: it stands in the
 * middle when files were put together. They have to be different files: the rows of one file count once.
 *
 * @param visit gets the number of the row as well, the header being row 1
 * @throws ReportError when a row has more or fewer cells than the header, a quote is never closed, or a repeated header has the
 *   first row under it again
 */
export function visitCsv(text: string, delimiter: string, visit: (cells: Cells, row: number) => void): void {
  let header: readonly string[] | undefined;
  let places = new Map<string, number>();
  let current: readonly string[] = [];
  let first: readonly string[] | undefined;
  let begins = false;
  let row = 0;
  const cells: Cells = (column) => current[places.get(column) ?? -1];
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
        places = new Map(data.map((column, place) => [column, place]));
      } else if (data.length !== header.length) {
        throw unreadable(`is cut off or malformed: row ${row} has ${data.length} cells, the header ${header.length}`);
      } else if (isSame(data, header)) {
        begins = true;
      } else {
        if (begins && isSame(data, first)) throw unreadable(`holds the same report twice: again from row ${row} on`);
        begins = false;
        first ??= data;
        current = data;
        visit(cells, row);
      }
    },
  });
}

function isSame(row: readonly string[], other: readonly string[] | undefined): boolean {
  return row.every((cell, place) => cell === other?.[place]);
}
