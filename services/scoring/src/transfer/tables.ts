import { targetFields } from "@maturity/core";
import { rowFields, type TableName, tableNames } from "./row-schemas.ts";

/** A row of a table, by columns. */
export type TableRow = Readonly<Record<string, unknown>>;

const app = ["area", "team", "app"];
const scoreKey = [...targetFields, "scorecard", "metric"];
const problemKey = [...targetFields, "problem_type"];

/** What tells the rows of a table apart. */
export const keys: Readonly<Record<TableName, readonly string[]>> = {
  scores: scoreKey,
  problems: problemKey,
  retired_scores: scoreKey,
  retired_problems: problemKey,
  score_changes: [...scoreKey, "at"],
  roll_up_days: [...targetFields, "day"],
  waivers: ["id"],
  apps: app,
  app_aliases: app,
  retired_apps: app,
};

/** The columns that an export carries of each table, with the names that ids of the store stand for. */
export const carried: Readonly<Record<TableName, readonly string[]>> = Object.fromEntries(
  tableNames.map((table) => [table, Object.keys(rowFields[table])]),
) as Record<TableName, string[]>;

/** What a table is read from, where its rows have names that other tables hold. */
export const joined: Readonly<Partial<Record<TableName, string>>> = {
  score_changes: `score_changes AS one JOIN (
    SELECT id, area, team, app, env, scorecard, metric FROM scores
    UNION ALL SELECT id, area, team, app, env, scorecard, metric FROM retired_scores
  ) AS named ON id = score_id`,
  roll_up_days: "roll_up_days JOIN roll_up_targets ON id = target_id",
};
