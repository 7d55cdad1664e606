import type { Knex } from "knex";
import { type TableName, tableNames } from "./row-schemas.ts";
import { carried, sources, type TableRow } from "./tables.ts";

/**
 * Makes a temporary table `imported_…` for each table, where an import collects the rows of it, each with the number of its
 * line. They live until the transaction ends.
 */
export async function createStages(trx: Knex): Promise<void> {
  for (const table of tableNames) {
    await trx.raw(
      `CREATE TEMP TABLE imported_${table} ON COMMIT DROP AS
       SELECT ${carried[table].join(", ")}, 0 AS line FROM ${sources[table]} WITH NO DATA`,
    );
  }
}

/** Collects rows. */
export async function stageRows(trx: Knex, table: TableName, rows: readonly TableRow[]): Promise<void> {
  const columns = [...carried[table], "line"].join(", ");
  await trx.raw(
    `INSERT INTO imported_${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(null::imported_${table}, ?::json)`,
    [JSON.stringify(rows)],
  );
}

/** To be called when all are collected: autovacuum sees no temporary tables. */
export async function analyzeStages(trx: Knex): Promise<void> {
  for (const table of tableNames) await trx.raw(`ANALYZE imported_${table}`);
}
