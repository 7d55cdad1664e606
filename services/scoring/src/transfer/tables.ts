import { targetFields } from "@maturity/core";

/** The columns of a table of scores or problems, beside its `area`. */
interface Table {
  /** The names that identify a row within its area. */
  readonly key: readonly string[];
  /** The names of its series, in the order of the scrape. */
  readonly labels: readonly string[];
  /** What a newer row replaces. */
  readonly values: readonly string[];
}

/** The tables of what was reported last. */
export type StateName = "scores" | "problems";

/** The tables of the past. */
export type PastName = "score_changes" | "roll_up_days";

export type TableName = StateName | PastName | "waivers";

/** A row of a table, by columns. */
export type TableRow = Readonly<Record<string, unknown>>;

/** The columns of `scores` that tell of the last change. Exports of versions without history lack them. */
export const lastChange: readonly string[] = ["changed_at", "former_score", "changed_by"];

/** What an export carries. Columns that the store makes from these, such as `labels`, the import makes anew. */
export const tables: Readonly<Record<StateName, Table>> = {
  scores: {
    key: ["team", "app", "env", "scorecard", "metric"],
    labels: [...targetFields, "scorecard", "metric"],
    values: ["score", "raw", "scorer", "pipeline_id", "project_repo", "reported_at", ...lastChange],
  },
  problems: {
    key: ["team", "app", "env", "problem_type"],
    labels: [...targetFields, "problem_type", "severity"],
    values: ["severity", "count", "details", "chat_channel", "opened_at", "reported_at"],
  },
};

export const tableNames: readonly TableName[] = ["scores", "problems", "score_changes", "roll_up_days", "waivers"];

/** The columns of a row of the state that an import stages. */
export function stagedColumns(table: StateName): readonly string[] {
  const { key, values } = tables[table];
  return ["area", ...key, ...values, "key", "labels"];
}
