import type { Knex } from "knex";
import type { Database } from "../store/database.ts";
import { isoTime } from "../store/utc.ts";
import { areaOf, requireSeen } from "./areas.ts";
import { columnsOf, kinds, type Row, type TableName, tableNames } from "./kinds.ts";

/** What is exported. */
export interface ExportOptions {
  /** Only these areas; all if absent. A former name belongs to the area that it leads to. */
  readonly areas?: readonly string[] | undefined;
}

/** Columns that JSON has in another form. In a former name an empty text stands for what is left out. */
const forms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["score", "former_score", "former"].map((name) => [name, `${name}::float8`])),
  ...Object.fromEntries(["team", "app", "to_team", "to_app"].map((name) => [name, `nullif(${name}, '')`])),
  day: "day::text",
};

function selectOf(table: TableName): string {
  const read = (column: string) => forms[column] ?? (/(?:^|_)at$/.test(column) ? isoTime(column) : column);
  const columns = columnsOf(table).map((column) => `${read(column)} AS ${column}`);
  return `SELECT ${columns.join(", ")} FROM ${kinds[table].source}`;
}

/**
 * Gives every row that is carried, as they are at one moment, as a line of JSON, without its line feed:
 * `{"table":"scores",…}` with the columns as fields. What is null is left out, and so are the columns that the import makes
 * anew.
 *
 * @throws AreasError behind the last line, if nothing is stored of an area that is asked for
 */
export async function* exportRows({ background }: Database, { areas }: ExportOptions = {}): AsyncGenerator<string> {
  const trx = await background.transaction();
  try {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL cursor_tuple_fraction = 1"); // plans for the last row, not for the first
    const seen = new Set<string>();
    for (const table of tableNames) {
      for await (const row of rowsOf(trx, table, areas)) {
        seen.add(areaOf(row));
        yield JSON.stringify({ table, ...withoutNull(row) });
      }
    }
    requireSeen(areas, seen, "stored");
  } finally {
    await trx.rollback();
  }
}

async function* rowsOf(trx: Knex, table: TableName, areas: readonly string[] | undefined): AsyncGenerator<Row> {
  const { raw, details, to_area } = kinds[table].columns;
  const pageRows = raw || details ? 100 : 1_000; // these can have a mebibyte
  const where = areas ? `WHERE ${to_area ? "to_area" : "area"} = ANY(?::text[])` : "";
  await trx.raw(`DECLARE page NO SCROLL CURSOR FOR ${selectOf(table)} ${where}`, areas ? [[...areas]] : []);
  for (;;) {
    const { rows }: { rows: Row[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
    yield* rows;
    if (rows.length < pageRows) break;
  }
  await trx.raw("CLOSE page");
}

/** Of the columns alone: a null inside `raw` is part of its value. */
function withoutNull(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
