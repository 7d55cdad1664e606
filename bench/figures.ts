import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release } from "node:os";

/** A table that a bench printed. Each row has a cell for each column. */
export interface FigureTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What one run of a bench has measured. */
export interface Figures {
  /** The command that measures it again. */
  readonly command: string;
  /** Absent for runs on several machines. */
  readonly machine?: string;
  readonly tables: readonly FigureTable[];
}

const file = new URL("figures.json", import.meta.url);

/** All figures that pages show, by the names that the pages give. */
export function readFigures(): Readonly<Record<string, Figures>> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Stores the tables in what a bench printed, in place of those of its last run. */
export function recordFigures(name: string, command: string, printed: string): void {
  const tables = tablesIn(printed);
  if (tables.length === 0) throw new Error(`${command} printed no table, so there is nothing to record`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Linux ${release()}, Node ${process.version}`;
  writeFileSync(file, written({ ...readFigures(), [name]: { command, machine, tables } }));
}

/** The tables in a text in Markdown. */
export function tablesIn(text: string): FigureTable[] {
  return [...text.matchAll(/(?:^\|.*\|$\n?)+/gm)].flatMap(([lines]) => {
    const [columns, rule, ...rows] = lines.trim().split("\n").map(cellsOf);
    return columns && rule?.every((cell) => /^:?-+:?$/.test(cell)) ? [{ columns, rows }] : [];
  });
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** A table in Markdown. */
export function markdownOf({ columns, rows }: FigureTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), `|${"---|".repeat(columns.length)}`, ...rows.map(line)].join("\n");
}

/** JSON with a line for each row, so that a change of figures can be read. */
export function written(figures: Readonly<Record<string, Figures>>): string {
  const row = (cells: readonly string[]) => `          ${JSON.stringify(cells)}`;
  const table = ({ columns, rows }: FigureTable) =>
    `      {\n        "columns": ${JSON.stringify(columns)},\n        "rows": [\n${rows.map(row).join(",\n")}\n        ]\n      }`;
  const entries = Object.entries(figures).map(([name, { command, machine, tables }]) =>
    [
      `  ${JSON.stringify(name)}: {`,
      `    "command": ${JSON.stringify(command)},`,
      ...(machine === undefined ? [] : [`    "machine": ${JSON.stringify(machine)},`]),
      `    "tables": [\n${tables.map(table).join(",\n")}\n    ]\n  }`,
    ].join("\n"),
  );
  return `{\n${entries.join(",\n")}\n}\n`;
}
