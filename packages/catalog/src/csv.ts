import { nameFault } from "@maturity/core/wire";
import Papa from "papaparse";
import type { CatalogOptions } from "./apps-of.ts";
import { quoted } from "./entity-ref.ts";
import { type AppEntry, type FoundApp, type PassedOver, PassOver } from "./reading.ts";

const columns = ["area", "team", "app", "owner", "repo", "tier"] as const;
const labelColumn = /^labels?\.(.+)$/;

/** Whether a text is a table of applications: its first line names the columns `team` and `app`. */
export function isCsv(text: string): boolean {
  const line = firstLine(text);
  const cells = line.split(delimiterOf(line)).map(named);
  return cells.includes("app") && cells.includes("team");
}

function firstLine(text: string): string {
  return (
    text
      .trimStart()
      .slice(0, 10_000)
      .split(/\r\n|\r|\n/, 1)[0] ?? ""
  );
}

/** The delimiter that stands most often in the first line: spreadsheets write a semicolon where the comma is decimal. */
function delimiterOf(line: string): string {
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.sort((one, other) => other.count - one.count)[0]?.delimiter ?? ",";
}

/**
 * Reads a table of applications. A column `labels.x` holds the label `x`; an empty cell says nothing.
 *
 * @throws PassOver if a column is not known, missing, or there twice
 */
export function readCsv(
  text: string,
  file: string,
  { area }: CatalogOptions,
): {
  readonly apps: readonly FoundApp[];
  readonly passedOver: readonly PassedOver[];
  readonly faults: readonly PassedOver[];
} {
  const apps: FoundApp[] = [];
  const passedOver: PassedOver[] = [];
  const faults: PassedOver[] = [];
  let header: readonly string[] | undefined;
  let line = 1;
  Papa.parse<string[]>(text, {
    delimiter: delimiterOf(firstLine(text)),
    step({ data, errors, meta }) {
      const at = { file, line };
      line += rowLines(data, meta.linebreak);
      const cells = data.map((cell) => cell.trim());
      if (cells.every((cell) => cell === "")) return;
      if (!header) {
        header = requireHeader(cells.map(named), data, file, area !== undefined);
        return;
      }
      const what = cells[header.indexOf("app")] || "a row";
      const quote = errors.find(({ type }) => type === "Quotes");
      if (quote) {
        faults.push({ ...at, what, why: "a quote in it is not closed, or stands in the middle of a cell" });
      } else if (cells.length !== header.length) {
        faults.push({ ...at, what, why: `it has ${cells.length} cells, and the first row ${header.length}` });
      } else {
        const entry = entryOf(header, cells, area);
        if (typeof entry === "string") passedOver.push({ ...at, what, why: entry });
        else apps.push({ ...at, entry });
      }
    },
  });
  return { apps, passedOver, faults };
}

/** The lines that a row takes, since a quoted cell may hold several. */
function rowLines(cells: readonly string[], linebreak: string): number {
  return cells.reduce((sum, cell) => sum + cell.split(linebreak).length - 1, 1);
}

function named(cell: string): string {
  const name = cell
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
  return labelColumn.test(name) ? name : name.toLowerCase();
}

function requireHeader(
  names: readonly string[],
  written: readonly string[],
  file: string,
  hasArea: boolean,
): readonly string[] {
  const refuse = (message: string) => new PassOver(`${file}: ${message}`);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) throw refuse(`the column ${quoted(name)} stands there twice`);
    if (labelColumn.test(name) || columns.some((column) => column === name)) continue;
    const title = (written[index] ?? "").trim();
    throw refuse(
      `there is no column ${quoted(title)}; there are ${columns.join(", ")}, and labels.${title || "x"} would be a label`,
    );
  }
  for (const name of ["team", "app"]) if (!names.includes(name)) throw refuse(`the column ${name} is missing`);
  if (!hasArea && !names.includes("area")) throw refuse("the column area is missing; add it, or give --area");
  return names;
}

/** The application of a row, or why it is none. */
function entryOf(header: readonly string[], cells: readonly string[], areaElse: string | undefined): AppEntry | string {
  const cell = (name: string) => cells[header.indexOf(name)] || undefined;
  const { area = areaElse, team, app } = { area: cell("area"), team: cell("team"), app: cell("app") };
  if (area === undefined) return "it has no area; fill it in, or give --area";
  if (team === undefined) return "it has no team";
  if (app === undefined) return "it has no app";
  for (const [key, name] of Object.entries({ area, team, app })) {
    const fault = nameFault(name);
    if (fault) return `its ${key} ${quoted(name)} ${fault}`;
  }
  const labels = header.flatMap((column, index) => {
    const [, key] = labelColumn.exec(column) ?? [];
    return key && cells[index] ? [[key, cells[index]] as const] : [];
  });
  const others = (["owner", "repo", "tier"] as const).flatMap((name) => {
    const value = cell(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...{ area, team, app },
    ...Object.fromEntries(others),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
  };
}
