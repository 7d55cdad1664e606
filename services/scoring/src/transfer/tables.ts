import { targetFields } from "@maturity/core";

/** The tables of what was reported last. */
export type StateName = "scores" | "problems";

/** The tables of an export, each a `table` of its lines. */
export type TableName =
  | StateName
  | `retired_${StateName}`
  | "score_changes"
  | "roll_up_days"
  | "waivers"
  | "apps"
  | "app_aliases"
  | "retired_apps";

/** A row of a table, by columns. */
export type TableRow = Readonly<Record<string, unknown>>;

/** What identifies a row of the state within its area, and the names of its series in the order of the scrape. */
interface State {
  readonly key: readonly string[];
  readonly labels: readonly string[];
}

export const states: Readonly<Record<StateName, State>> = {
  scores: {
    key: ["team", "app", "env", "scorecard", "metric"],
    labels: [...targetFields, "scorecard", "metric"],
  },
  problems: {
    key: ["team", "app", "env", "problem_type"],
    labels: [...targetFields, "problem_type", "severity"],
  },
};

/** The columns of `scores` that tell of the last change. Exports of versions without history lack them. */
export const lastChange: readonly string[] = ["changed_at", "former_score", "changed_by"];

const app = ["area", "team", "app"];
const scoreKey = [...targetFields, "scorecard", "metric"];
const scores = [...scoreKey, "score", "raw", "scorer", "pipeline_id", "project_repo", "reported_at", ...lastChange];
const problems = [
  ...[...targetFields, "problem_type", "severity", "count", "details", "chat_channel", "opened_at", "reported_at"],
];
const registered = ["owner", "repo", "tier", "labels", "registered_at"];

/** The columns that an export carries of each table, with the names that ids of the store stand for. */
export const carried: Readonly<Record<TableName, readonly string[]>> = {
  scores,
  problems,
  retired_scores: scores,
  retired_problems: problems,
  score_changes: [...scoreKey, "at", "former", "score", "scorer", "cause"],
  roll_up_days: [
    ...[...targetFields, "day", "count", "score", "coverage", "fresh_coverage", "lowest", "weights", "waived"],
  ],
  waivers: [
    ...["id", "kind", ...scoreKey, "problem_type", "reason", "owner", "created_at", "created_by", "expires_at"],
    ...["revoked_at", "revoked_by"],
  ],
  apps: [...app, ...registered],
  app_aliases: [...app, "to_area", "to_team", "to_app", "moved_at", "used_at"],
  retired_apps: [...app, "reason", "retired_at", ...registered],
};

export const tableNames: readonly TableName[] = Object.keys(carried) as TableName[];

/** The other columns of these tables, and why they are left out. */
export const columnsLeftOut: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = (() => {
  const made = { key: "made of the names", labels: "made of the names" };
  const id = "an id of this database alone; changes name their score";
  const identity = "leads to the alert thread, which is left out";
  return {
    scores: { ...made, id },
    retired_scores: { ...made, id },
    problems: { ...made, identity },
    retired_problems: { ...made, identity },
    score_changes: { score_id: id },
    roll_up_days: { target_id: "an id of this database alone; days name their target" },
  };
})();

/** The other tables of the store, and why they are left out. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  roll_up_targets: "the names of roll_up_days, which hold them",
  roll_ups_until: "says up to which day this database has written roll-ups",
  alert_threads: "point to messages of the chat that this installation sends to",
  alerts: "wait for this installation to send them; carried, they would be sent twice",
  alert_channels: "say until when this installation rests",
  digested_until: "says up to when this installation has sent its digest",
  tokens: "hold hashes of secrets that are for this installation",
  sessions: "hold hashes of cookies that are for this installation",
  idempotency_keys: "hold what this installation answered within the last day",
  audit: "says what was done to this database",
  policies: "recorded anew by the start of each service, from its file",
  schema_works_from: "describes the schema of this database",
  database_id: "is of this database alone",
  knex_migrations: "describes the schema of this database",
  knex_migrations_lock: "describes the schema of this database",
};
