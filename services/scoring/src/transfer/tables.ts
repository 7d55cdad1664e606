import { targetFields } from "@maturity/core";
import { rowFields, type TableName, tableNames } from "./row-schemas.ts";

/** A row of a table, by columns. */
export type TableRow = Readonly<Record<string, unknown>>;

const app = ["area", "team", "app"];
const scoreKey = [...targetFields, "scorecard", "metric"];

/** What tells the rows of a table apart. */
export const keys: Readonly<Record<TableName, readonly string[]>> = {
  apps: app,
  retired_envs: targetFields,
  former_names: app,
  scores: scoreKey,
  problems: [...targetFields, "problem_type"],
  score_changes: [...scoreKey, "at"],
  roll_up_days: [...targetFields, "day"],
  waivers: ["id"],
};

/** The columns that an export carries of each table, with the names that ids of the store stand for. */
export const carried: Readonly<Record<TableName, readonly string[]>> = Object.fromEntries(
  tableNames.map((table) => [table, Object.keys(rowFields[table])]),
) as Record<TableName, string[]>;

const ofTarget = "JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id";
const ofMetric = "JOIN metrics ON metrics.id = metric_id";

/** What a table is read from. */
export const sources: Readonly<Record<TableName, string>> = {
  apps: `(
    SELECT *, retired_because AS reason FROM applications WHERE registered_at IS NOT NULL OR retired_at IS NOT NULL
  ) AS apps`,
  retired_envs: `(
    SELECT area, team, app, env, targets.retired_at, targets.retired_because AS reason
    FROM targets JOIN applications ON applications.id = application_id
    WHERE targets.retired_at IS NOT NULL
  ) AS retired_envs`,
  former_names: `(
    SELECT names.area, names.team, names.app, applications.area AS to_area, applications.team AS to_team,
      applications.app AS to_app, since AS moved_at, used_at
    FROM names JOIN applications ON id = application_id
    WHERE (names.area, names.team, names.app) <> (applications.area, applications.team, applications.app)
    UNION ALL
    SELECT area, team, '', to_area, to_team, '', moved_at, NULL FROM former_groups
  ) AS former_names`,
  scores: `scores ${ofMetric} ${ofTarget}`,
  problems: `problems ${ofTarget}`,
  score_changes: `score_changes ${ofMetric} ${ofTarget}`,
  roll_up_days: `roll_up_days JOIN (
    SELECT id, area, team, app, env FROM roll_up_targets_by_name
  ) AS named ON named.id = target_id`,
  waivers: "waivers_by_name",
};
