import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import { query } from "../store/sql.ts";
import { columnsOf, kinds, type Row, type TableName, tableNames } from "./kinds.ts";

/** The tables whose rows create environments. */
export const envTables: readonly TableName[] = [
  ...(["retired_envs", "scores", "problems", "roll_up_days", "roll_ups_again", "campaign_members"] as const),
];

/** The tables whose rows create applications. */
export const appTables: readonly TableName[] = ["apps", "waivers", ...envTables];

/** A row with the number of its line. */
export type StagedRow = Row & { readonly line: number };

/**
 * Creates a temporary table `imported_…` for each kind of line: the stages, in which an import collects its rows. They are
 * dropped when the transaction ends.
 */
export async function createStages(trx: Knex): Promise<void> {
  for (const table of tableNames) {
    await trx.raw(
      `CREATE TEMP TABLE imported_${table} ON COMMIT DROP AS
       SELECT ${columnsOf(table).join(", ")}, 0 AS line FROM ${kinds[table].source} WITH NO DATA`,
    );
  }
}

/** Inserts rows into the stage of their table. */
export async function stageRows(trx: Knex, table: TableName, rows: readonly StagedRow[]): Promise<void> {
  const [stage, columns] = [raw(`imported_${table}`), raw([...columnsOf(table), "line"].join(", "))];
  await query(trx)`
    INSERT INTO ${stage} (${columns})
    SELECT ${columns} FROM json_populate_recordset(null::${stage}, ${JSON.stringify(rows)}::json)
  `;
}

/** Analyzes the filled stages, because autovacuum does not see temporary tables. */
export async function analyzeStages(trx: Knex): Promise<void> {
  for (const table of tableNames) await trx.raw(`ANALYZE imported_${table}`);
}
