import type { Output } from "./output.ts";
import { printable } from "./terminal.ts";
import { cutTo, padded, widthOf } from "./text-width.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Is it a number? Then it stands at the right of its column and is never cut. */
  readonly isNumber?: boolean;
  /** Is it left out where none of its cells has a text? */
  readonly isOptional?: boolean;
  /** Is it left out where there is no terminal, or another column would have to be cut for it? */
  readonly isExtra?: boolean;
  /** Is it left out on a terminal where another column would have to be cut, though no extra column is left? */
  readonly isMinor?: boolean;
  /** The colour of a cell. */
  readonly paint?: (row: Row) => (text: string) => string;
}

/** A column of numbers. */
export function numbers<Row>(title: string, text: (row: Row) => string, more: Partial<Column<Row>> = {}): Column<Row> {
  return { title, text, isNumber: true, ...more };
}

const gap = "  ";

/** No column of a text gets narrower, in columns of the terminal. */
const narrowest = 4;

/** A column with its cells, and how many columns of a terminal it takes. */
interface Measured<Row> {
  readonly column: Column<Row>;
  readonly cells: readonly string[];
  width: number;
}

/** Prints a table. */
export function showTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], output: Output): void {
  for (const line of tableLines(columns, rows, output)) output.line(line);
}

/**
 * The lines of a table, the titles first. Every text may come from outside. On a terminal the widest columns of texts are
 * cut until a line fits; what is cut ends with `…`. Elsewhere nothing is cut.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, colors }: Pick<Output, "width" | "colors">,
): string[] {
  const all = columns.map((column): Measured<Row> => {
    const cells = rows.map((row) => printable(column.text(row)));
    return { column, cells, width: Math.max(widthOf(column.title), ...cells.map(widthOf)) };
  });
  const filled = all.filter(({ column, cells }) => !column.isOptional || cells.some((cell) => cell !== ""));
  const fits = (some: readonly Measured<Row>[]) => width !== undefined && widthOfAll(some) <= width;
  const plain = filled.filter(({ column }) => !column.isExtra);
  const isNarrow = width !== undefined && !fits(plain);
  const shown = fits(filled) ? filled : isNarrow ? plain.filter(({ column }) => !column.isMinor) : plain;
  if (width !== undefined) narrow(shown, width);
  const line = (cellOf: (one: Measured<Row>) => readonly [text: string, paint: (text: string) => string]) =>
    shown
      .map((one, index) => {
        const [text, paint] = cellOf(one);
        const cell = cutTo(text, one.width);
        const blanks = padded(cell, one.width).slice(cell.length);
        if (one.column.isNumber) return blanks + paint(cell);
        return index === shown.length - 1 ? paint(cell) : paint(cell) + blanks;
      })
      .join(gap);
  return [
    line(({ column }) => [column.title.toUpperCase(), colors.dim]),
    ...rows.map((row, index) => line(({ column, cells }) => [cells[index] ?? "", column.paint?.(row) ?? String])),
  ];
}

/** Makes the widest columns of texts narrower until all fit. */
function narrow<Row>(columns: readonly Measured<Row>[], width: number): void {
  const texts = columns.filter(({ column }) => !column.isNumber);
  for (let over = widthOfAll(columns) - width; over > 0; over--) {
    const widest = texts.reduce((most, one) => (one.width > most.width ? one : most), texts[0] ?? { width: 0 });
    if (widest.width <= narrowest) return;
    widest.width--;
  }
}

function widthOfAll<Row>(columns: readonly Measured<Row>[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1));
}
