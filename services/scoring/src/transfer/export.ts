import type { Database } from "../store/database.ts";
import { type TableRow, tables } from "./tables.ts";

/** How columns are read where JSON has another form for them; times keep their microseconds. */
const readAs: Readonly<Record<string, string>> = {
  score: "score::float8 AS score",
  opened_at: utc("opened_at"),
  reported_at: utc("reported_at"),
};

function utc(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;
}

/** Rows held at a time; one can have a mebibyte. */
const pageRows = 100;

/**
 * Gives every score and problem of one moment as a line of JSON, without its line feed: `{"table":"scores",…}` with the
 * columns as fields. What is null is left out, and so are `key` and `labels`, which the import makes anew.
 */
export async function* exportRows({ background }: Database): AsyncGenerator<string> {
  const trx = await background.transaction();
  try {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const [table, { key, values }] of Object.entries(tables)) {
      const columns = ["area", ...key, ...values].map((column) => readAs[column] ?? column);
      await trx.raw(`DECLARE page NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM ${table} ORDER BY area, key`);
      for (;;) {
        const { rows }: { rows: TableRow[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
        for (const row of rows) yield JSON.stringify({ table, ...withoutNull(row) });
        if (rows.length < pageRows) break;
      }
      await trx.raw("CLOSE page");
    }
  } finally {
    await trx.rollback();
  }
}

/** Of the columns alone: a null inside `raw` is part of its value. */
function withoutNull(row: TableRow): TableRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
