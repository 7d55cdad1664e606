import type { Knex } from "knex";
import { carried, type StateName, states, type TableName, type TableRow, tableNames } from "./tables.ts";

/**
 * Where an import collects rows, each in the temporary table `imported_` with this name. Those of retired applications are
 * collected with the others, since an application may be retired in one database and in use in the other.
 */
export type StageName = Exclude<TableName, `retired_${StateName}`>;

export function stageOf(table: TableName): StageName {
  if (table === "retired_scores") return "scores";
  if (table === "retired_problems") return "problems";
  return table;
}

export const stageNames: readonly StageName[] = [...new Set(tableNames.map(stageOf))];

/** The columns of a stage, beside those of an export. */
const made: Readonly<Partial<Record<StageName, readonly string[]>>> = {
  scores: ["key", "labels"],
  problems: ["key", "labels"],
  score_changes: ["key"],
  roll_up_days: ["key"],
};

/** The columns of a row of the state that are stored. */
export function storedColumns(state: StateName): readonly string[] {
  return [...carried[state], ...(made[state] ?? [])];
}

/** Tables that have the columns of a stage. */
const models: Readonly<Partial<Record<StageName, string>>> = {
  scores: "(SELECT *, false AS retired FROM scores) AS model",
  problems: "(SELECT *, false AS retired FROM problems) AS model",
  score_changes: `(
    SELECT area, team, app, env, scorecard, metric, key, at, former, one.score, one.scorer, cause
    FROM score_changes AS one JOIN scores ON id = score_id
  ) AS model`,
  roll_up_days: "roll_up_days JOIN roll_up_targets ON id = target_id",
};

/** Makes the stages. They live until the transaction ends. */
export async function createStages(trx: Knex): Promise<void> {
  for (const stage of stageNames) {
    const columns = [...carried[stage], ...(made[stage] ?? []), ...(stage in states ? ["retired"] : [])];
    await trx.raw(
      `CREATE TEMP TABLE imported_${stage} ON COMMIT DROP AS SELECT ${columns.join(", ")} FROM ${models[stage] ?? stage}
       WITH NO DATA`,
    );
  }
}

/** Collects rows. */
export async function stageRows(trx: Knex, stage: StageName, rows: readonly TableRow[]): Promise<void> {
  const records = `json_populate_recordset(null::imported_${stage}, ?::json)`;
  await trx.raw(`INSERT INTO imported_${stage} SELECT * FROM ${records}`, [JSON.stringify(rows)]);
}

/** To be called when all are collected: autovacuum sees no temporary tables. */
export async function analyzeStages(trx: Knex): Promise<void> {
  for (const stage of stageNames) await trx.raw(`ANALYZE imported_${stage}`);
}
