import type { Value } from "./rows.ts";

/** Rows as CSV by RFC 4180. A text that a spreadsheet would take for a formula begins with `'`. */
export function csvOf(rows: readonly (readonly Value[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As the lists of the service have it: the name of a package, such as `@maturity/security`, is no formula. */
const formula = /^(?:[=+\-\t\r]|@(?![\w.-]+\/))/;

/** Makes the browser save a text as a file. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
