import { noRows, type QueryReport, type RowNote } from "@maturity/collect";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";

/** At most so many rows of one kind are printed one by one. `--json` prints all. */
const maxRows = 10;

/** Prints the result of each query, what it sent, and which rows it left out and why. */
export function showRun(reports: readonly QueryReport[], output: Output): void {
  for (const report of reports) {
    const { name, metric, submissions, skipped, faults, notes, error } = report;
    output.line(`${output.colors.bold(printable(name))} (${printable(metric)}): ${countsOf(report)}`);
    for (const { area, team, app, env, raw } of submissions ?? []) {
      const place = [area, team, app, env].join(" / ");
      output.line(`  ${printable(`${place} ${JSON.stringify(raw)}`)}`);
    }
    for (const note of notes) output.note(`${name}: ${note}`);
    for (const text of linesOf(skipped)) output.note(`${name}: ${text}`);
    for (const text of linesOf(faults)) output.warn(`${name}: ${text}`);
    if (error !== undefined) output.warn(`${name}: ${error}`);
  }
}

/** The result of a query in lines of a summary: what it sent, and what it left out and why. */
export function linesOfQuery(report: QueryReport): string[] {
  const { name, metric, skipped, faults, notes, error } = report;
  const more = [...notes, ...linesOf(skipped), ...linesOf(faults), ...(error === undefined ? [] : [error])];
  return [`${name} (${metric}): ${countsOf(report)}`, ...more.map((text) => `${name}: ${text}`)];
}

/** The result of a run in one line, such as `3 queries: 12 sent, 1 skipped; recovery: cannot reach …`. */
export function summaryOf(reports: readonly QueryReport[]): string {
  const total = {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    skipped: reports.flatMap(({ skipped }) => skipped),
    faults: reports.flatMap(({ faults }) => faults),
  };
  const silent = reports.flatMap(({ name, error, notes }) => {
    const why = error ?? notes.find((note) => note === noRows);
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  const queries = `${reports.length} ${reports.length === 1 ? "query" : "queries"}`;
  return [`${queries}: ${countsOf(total)}`, ...silent].map(printable).join("; ");
}

function countsOf({
  sent,
  submissions,
  skipped,
  faults,
}: Pick<QueryReport, "sent" | "submissions" | "skipped" | "faults">): string {
  const counts = [submissions ? `${submissions.length} to send` : `${sent} sent`];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  if (faults.length > 0) counts.push(`${faults.length} faulty`);
  return counts.join(", ");
}

function linesOf(rows: readonly RowNote[]): string[] {
  const lines = rows.slice(0, maxRows).map(({ row, text }) => `${row}: ${text}`);
  const more = rows.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more rows (--json lists them)`] : lines;
}
