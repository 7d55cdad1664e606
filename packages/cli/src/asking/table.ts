import fastStringTruncatedWidth from "fast-string-truncated-width";
import type { Output } from "../output.ts";
import { printable } from "../terminal.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Is it a number? Then it stands at the right of its column and is never cut. */
  readonly isNumber?: boolean;
  /** Is it left out where none of its cells has a text? */
  readonly isOptional?: boolean;
  /** The colour of a cell. */
  readonly paint?: (row: Row) => (text: string) => string;
}

const gap = "  ";

/** No column of a text gets narrower, in columns of the terminal. */
const narrowest = 4;

/**
 * The lines of a table, the titles first. Every text may come from outside. On a terminal the widest columns of texts are
 * cut until a line fits; what is cut ends with `…`. Elsewhere nothing is cut.
 */
export function tableLines<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, colors }: Pick<Output, "width" | "colors">,
): string[] {
  const columns = all.filter(({ isOptional, text }) => !isOptional || rows.some((row) => text(row) !== ""));
  const texts = rows.map((row) => columns.map(({ text }) => printable(text(row))));
  const widths = columns.map(({ title }, index) =>
    texts.reduce((most, line) => Math.max(most, widthOf(line[index] ?? "")), widthOf(title)),
  );
  if (width !== undefined) narrow(widths, columns, width);
  const line = (cells: readonly string[], paint: (index: number) => (text: string) => string) =>
    cells
      .map((cell, index) => {
        const cut = cutTo(cell, widths[index] ?? 0);
        const padding = " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cut)));
        const painted = paint(index)(cut);
        if (columns[index]?.isNumber) return padding + painted;
        return index === cells.length - 1 ? painted : painted + padding;
      })
      .join(gap);
  const titles = columns.map(({ title }) => title.toUpperCase());
  return [
    line(titles, () => colors.dim),
    ...rows.map((row, index) => line(texts[index] ?? [], (column) => columns[column]?.paint?.(row) ?? String)),
  ];
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  return fastStringTruncatedWidth(text).width;
}

/** The beginning of a text that takes so many columns of a terminal at the most, with `…` where something is left out. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    taken += widthOf(segment);
    if (taken > width - 1) return `${text.slice(0, index)}…`;
  }
  return text;
}

/** Makes the widest columns of texts narrower until all fit. */
function narrow(widths: number[], columns: readonly Column<never>[], width: number): void {
  const room = width - gap.length * (columns.length - 1);
  for (let over = sum(widths) - room; over > 0; over--) {
    const texts = widths.map((one, index) => (columns[index]?.isNumber ? 0 : one));
    const widest = Math.max(...texts);
    if (widest <= narrowest) return;
    widths[texts.indexOf(widest)] = widest - 1;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The lines of a text that breaks between words where the terminal ends. Elsewhere it is one line. */
export function wrapped(text: string, indent: string, { width }: Pick<Output, "width">): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of printable(text).split(" ")) {
    const longer = line === indent ? line + word : `${line} ${word}`;
    if (line !== indent && width !== undefined && widthOf(longer) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
