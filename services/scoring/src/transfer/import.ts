import type { Knex } from "knex";
import { clockToleranceS } from "../model/limits.ts";
import type { Database } from "../store/database.ts";
import { changeAssignments, changeColumns, recordChanges } from "../store/score-changes.ts";
import { readRow } from "./read-row.ts";
import { type TableName, type TableRow, tables } from "./tables.ts";

/** How many rows of each table were stored. */
export type Imported = Readonly<Record<TableName, number>>;

/** Rows are stored when they are so many, or their lines so many characters. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows, all or none. A row replaces only an older one of its key, by `reported_at`; so of two with one
 * key the newer counts, wherever it comes from, and what was reported here in the meantime stays. Alert threads do not
 * move: the next alert of an open problem starts a new one.
 *
 * @returns how many rows were stored; the others are not newer than what is there
 * @throws ImportError at the first line that cannot be taken
 */
export async function importRows({ background }: Database, lines: AsyncIterable<string>): Promise<Imported> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    for (const table of Object.keys(tables) as TableName[]) {
      await trx.raw(
        `CREATE TEMP TABLE imported_${table} ON COMMIT DROP AS SELECT ${columnsOf(table)} FROM ${table} WITH NO DATA`,
      );
    }
    const latest = await latestTime(trx);
    let number = 0;
    let characters = 0;
    let batch: Record<TableName, TableRow[]> = { scores: [], problems: [] };
    for await (const line of lines) {
      const { table, row } = readRow(line, ++number, latest);
      batch[table].push(row);
      characters += line.length;
      if (batch[table].length < batchRows && characters < batchCharacters) continue;
      await stage(trx, batch);
      batch = { scores: [], problems: [] };
      characters = 0;
    }
    await stage(trx, batch);
    return { scores: await merge(trx, "scores"), problems: await merge(trx, "problems") };
  });
}

/**
 * The latest time that a row may have, in milliseconds since 1970, by the database's clock. A later one would stay for good:
 * `reported_at` never goes back.
 */
async function latestTime(trx: Knex): Promise<() => number> {
  const { rows } = await trx.raw("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now");
  const ahead = rows[0].now - Date.now();
  return () => Date.now() + ahead + clockToleranceS * 1_000;
}

async function stage(trx: Knex, batch: Readonly<Record<TableName, readonly TableRow[]>>): Promise<void> {
  for (const [table, rows] of Object.entries(batch)) {
    if (rows.length === 0) continue;
    const records = `json_populate_recordset(null::imported_${table}, ?::json)`;
    await trx.raw(`INSERT INTO imported_${table} SELECT * FROM ${records}`, [JSON.stringify(rows)]);
  }
}

/** The columns of a table that a row of an import fills. */
function columnsOf(table: TableName): string {
  const { key, values } = tables[table];
  return ["area", ...key, ...values, "key", "labels"].join(", ");
}

/** Only here rows of the store are locked, in the order of keys as by every other write. */
async function merge(trx: Knex, table: TableName): Promise<number> {
  const columns = columnsOf(table);
  const isScores = table === "scores";
  const assignments = [...tables[table].values, "labels"].map((column) => `${column} = excluded.${column}`);
  const { rows } = await trx.raw(`
    WITH stored AS (
      INSERT INTO ${table} AS former (${columns}${isScores ? ", changed_at" : ""})
      SELECT DISTINCT ON (area, key) ${columns}${isScores ? ", reported_at" : ""}
      FROM imported_${table}
      ORDER BY area, key, reported_at DESC
      ON CONFLICT (area, key) DO UPDATE SET ${assignments}${isScores ? `, ${changeAssignments("excluded.reported_at")}` : ""}
      WHERE former.reported_at < excluded.reported_at
      RETURNING ${isScores ? changeColumns : "1"}
    )
    ${isScores ? `, recorded AS (${recordChanges})` : ""}
    SELECT count(*)::int AS count FROM stored
  `);
  return rows[0].count;
}
