import type { Knex } from "knex";
import sql, { empty, raw } from "sql-template-tag";
import type { Database } from "../store/database.ts";
import { query } from "../store/sql.ts";
import { isoTime } from "../store/utc.ts";
import { areaOf, requireSeen } from "./areas.ts";
import { columnsOf, kinds, type Row, type TableName, tableNames } from "./kinds.ts";

/** SQL of columns whose form in JSON differs. The store has an empty text where a former name ends at the team or area. */
const forms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["score", "former_score", "former"].map((name) => [name, `${name}::float8`])),
  ...Object.fromEntries(["team", "app", "to_team", "to_app"].map((name) => [name, `nullif(${name}, '')`])),
  ...Object.fromEntries(
    ["day", "starts", "due", "recorded", "joined", "met_on"].map((name) => [name, `${name}::text`]),
  ),
  ...Object.fromEntries(
    // Another store numbers its tokens anew.
    ["requester", "creator"].map((name) => [name, `CASE WHEN ${name} NOT LIKE 'token %' THEN ${name} END`]),
  ),
};

function selectOf(table: TableName): string {
  const read = (column: string) => forms[column] ?? (/(?:^|_)at$/.test(column) ? isoTime(column) : column);
  const columns = columnsOf(table).map((column) => `${read(column)} AS ${column}`);
  return `SELECT ${columns.join(", ")} FROM ${kinds[table].source}`;
}

/**
 * Yields every row of one snapshot as a line of JSON without its line feed: `{"table":"scores",…}` with the columns as
 * fields. It leaves out null, and the columns that an import computes itself.
 *
 * @param areas only these; all if absent. A former name belongs to the area of its new name.
 * @throws AreasError after the last line, if the store has nothing of a chosen area
 */
export async function* exportRows({ background }: Database, areas?: readonly string[]): AsyncGenerator<string> {
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

/** The rows of a table, a page at a time, so that a large table is never in memory as a whole. */
async function* rowsOf(trx: Knex, table: TableName, areas: readonly string[] | undefined): AsyncGenerator<Row> {
  const { columns } = kinds[table];
  const pageRows = columns.raw || columns.details ? 100 : 1_000; // a `raw` or `details` may have a mebibyte
  const where = areas ? sql`WHERE ${raw(columns.to_area ? "to_area" : "area")} = ANY(${areas}::text[])` : empty;
  await query(trx)`DECLARE page NO SCROLL CURSOR FOR ${raw(selectOf(table))} ${where}`;
  for (;;) {
    const { rows }: { rows: Row[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
    yield* rows;
    if (rows.length < pageRows) break;
  }
  await trx.raw("CLOSE page");
}

/** Leaves out columns that are null. A null inside `raw` is part of its value and stays. */
function withoutNull(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
