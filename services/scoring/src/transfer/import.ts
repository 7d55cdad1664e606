import type { Knex } from "knex";
import { clockToleranceS } from "../model/limits.ts";
import type { Database } from "../store/database.ts";
import { watchAreas } from "./areas.ts";
import { createStages, mergeStages } from "./merge.ts";
import { readRow } from "./read-row.ts";
import { type TableName, type TableRow, tableNames } from "./tables.ts";

/** How many rows of each table were stored. */
export type Imported = Readonly<Record<TableName, number>>;

/** Rows are stored when they are so many, or their lines so many characters. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows, all or none. A score or problem replaces only an older one of its key, by `reported_at`; so of
 * two with one key the newer counts, wherever it comes from, and what was reported here in the meantime stays. Changes
 * and roll-ups of days are added to those that are here, and so are waivers, of which one that is revoked in either is revoked. Alert threads do not move: the next alert of an open problem
 * starts a new one.
 *
 * @param areas only these, all if absent; lines of others are checked and left out
 * @returns how many rows were stored; the others are here already, or are not newer than what is
 * @throws ImportError at the first line that cannot be taken
 * @throws MissingAreasError if no line is of an area that is asked for; nothing is stored then
 */
export async function importRows(
  { background }: Database,
  lines: AsyncIterable<string>,
  areas?: readonly string[],
): Promise<Imported> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    await createStages(trx);
    const latest = await latestTime(trx);
    const seen = watchAreas(areas);
    let number = 0;
    let characters = 0;
    let batch = emptyBatch();
    for await (const line of lines) {
      const { table, row } = readRow(line, ++number, latest);
      if (!seen.note(row)) continue;
      batch[table].push(row);
      characters += line.length;
      if (batch[table].length < batchRows && characters < batchCharacters) continue;
      await stage(trx, batch);
      batch = emptyBatch();
      characters = 0;
    }
    await stage(trx, batch);
    seen.requireAll("there");
    return mergeStages(trx);
  });
}

function emptyBatch(): Record<TableName, TableRow[]> {
  return { scores: [], problems: [], score_changes: [], roll_up_days: [], waivers: [] };
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
  for (const table of tableNames) {
    if (batch[table].length === 0) continue;
    const records = `json_populate_recordset(null::imported_${table}, ?::json)`;
    await trx.raw(`INSERT INTO imported_${table} SELECT * FROM ${records}`, [JSON.stringify(batch[table])]);
  }
}
