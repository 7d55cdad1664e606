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

export type TableName = "scores" | "problems";

/** A row of a table, by columns. */
export type TableRow = Readonly<Record<string, unknown>>;

/** What an export carries. Columns that the store makes from these, such as `labels`, the import makes anew. */
export const tables: Readonly<Record<TableName, Table>> = {
  scores: {
    key: ["team", "app", "env", "scorecard", "metric"],
    labels: [...targetFields, "scorecard", "metric"],
    values: ["score", "raw", "scorer", "pipeline_id", "project_repo", "reported_at"],
  },
  problems: {
    key: ["team", "app", "env", "problem_type"],
    labels: [...targetFields, "problem_type", "severity"],
    values: ["severity", "count", "details", "chat_channel", "opened_at", "reported_at"],
  },
};
