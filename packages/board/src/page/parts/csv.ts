import { csvFormula } from "@maturity/core/wire";
import { place, viewOf } from "../place.ts";
import type { Column } from "./column.ts";
import type { Value } from "./rows.ts";

/** What is a score or a part of one, and has two decimals also where they are zero. */
const ofScores: ReadonlySet<Column<never>["kind"]> = new Set(["heat", "cell", "change"]);

/**
 * A list as it is saved: the names of its columns, and its rows with two decimals at most.
 *
 * @param of what a row is, which names the first column: `application`
 * @param more what is the same in all rows, such as the environment and the day
 */
export function savedRows<Row>(
  of: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  more: Readonly<Record<string, string | undefined>>,
): readonly (readonly Value[])[] {
  const names = new Set(columns.map(({ id }) => id));
  const further = Object.entries(more).filter(([name]) => !names.has(name));
  // As the lists of the service have it; a scorecard is called application, too.
  const first = of === "application" ? "app" : of;
  const head = [...columns.map(({ id }, index) => (index === 0 ? first : id)), ...further.map(([name]) => name)];
  const cell = ({ kind, value }: Column<Row>, row: Row) => {
    const found = value(row);
    if (typeof found !== "number") return found;
    return ofScores.has(kind) || !Number.isInteger(found) ? found.toFixed(2).replace(/^-(?=0\.00$)/, "") : found;
  };
  return [
    head,
    ...rows.map((row) => [...columns.map((column) => cell(column, row)), ...further.map(([, one]) => one)]),
  ];
}

/** Rows as CSV by RFC 4180. A text that a spreadsheet would take for a formula begins with `'`. */
export function csvOf(rows: readonly (readonly Value[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = csvFormula.test(value) && !/^-\d+\.\d\d$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A name for a file with what the page shows: the view, the names of what it is of, and these words. */
export function fileName(...words: readonly (string | undefined)[]): string {
  const { area, team, app } = place.peek();
  const names = [viewOf(place.peek()), area, team, app, ...words].filter((name) => name !== undefined);
  return `${names.join("-").replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "_")}.csv`;
}

/** Makes the browser save a text as a file. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
