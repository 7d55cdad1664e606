import { targetFields } from "@maturity/core";
import type { Knex } from "knex";
import { keySql, labelsSql } from "../store/made-columns.ts";
import { type TableName, tableNames } from "./row-schemas.ts";
import { carried, keys } from "./tables.ts";

/**
 * Moves the collected rows into the store.
 *
 * @returns how many rows of each table were stored
 */
export async function storeStages(trx: Knex): Promise<Record<TableName, number>> {
  const stored: [TableName, number][] = [];
  for (const table of tableNames) {
    const { rowCount } = await trx.raw(statements[table] ?? insert(table, carried[table]));
    stored.push([table, rowCount]);
  }
  return Object.fromEntries(stored) as Record<TableName, number>;
}

/** @param values SQL of the columns that are not as they were collected */
function insert(table: TableName, columns: readonly string[], values: Readonly<Record<string, string>> = {}): string {
  return `
    INSERT INTO ${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map((column) => values[column] ?? column).join(", ")} FROM imported_${table}
  `;
}

/** @param labels the names of the series, in the order of a scrape */
function insertState(table: TableName, labels: readonly string[], ids: readonly string[] = []): string {
  const [, ...names] = keys[table];
  return insert(table, [...carried[table], "key", "labels", ...ids], {
    key: keySql(names),
    labels: labelsSql(Object.fromEntries(labels.map((name) => [name, name]))),
  });
}

const ofProblem = [...targetFields, "problem_type", "severity"];

const targetKey = `CASE
  WHEN team IS NULL THEN ${keySql(["env"])}
  WHEN app IS NULL THEN ${keySql(["team", "env"])}
  ELSE ${keySql(["team", "app", "env"])}
END`;

const ofDay = carried.roll_up_days.filter((column) => !targetFields.some((field) => field === column)).join(", ");

const statements: Readonly<Partial<Record<TableName, string>>> = {
  scores: insertState("scores", keys.scores, ["id"]),
  retired_scores: insertState("retired_scores", keys.scores, ["id"]),
  problems: insertState("problems", ofProblem),
  retired_problems: insertState("retired_problems", ofProblem),
  score_changes: `
    INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
    SELECT id, at, former, change.score, change.scorer, cause
    FROM imported_score_changes AS change JOIN (
      SELECT id, ${keys.scores} FROM imported_scores UNION ALL SELECT id, ${keys.scores} FROM imported_retired_scores
    ) AS named USING (${keys.scores})
    ORDER BY at
  `,
  roll_up_days: `
    WITH imported AS MATERIALIZED (SELECT *, ${targetKey} AS key FROM imported_roll_up_days),
    targets AS (
      INSERT INTO roll_up_targets (area, team, app, env, key)
      SELECT DISTINCT area, team, app, env, key FROM imported
      RETURNING id, area, key
    )
    INSERT INTO roll_up_days (target_id, ${ofDay})
    SELECT id, ${ofDay} FROM imported JOIN targets USING (area, key) ORDER BY day, id
  `,
  app_aliases: insert(
    "app_aliases",
    carried.app_aliases,
    Object.fromEntries(["team", "app", "to_team", "to_app"].map((name) => [name, `coalesce(${name}, '')`])),
  ),
};
