import type { Target } from "@maturity/core";

/** Where queries run. */
export type Source = PrometheusSource | PostgresSource;

export interface PrometheusSource {
  readonly kind: "prometheus";
  readonly name: string;
  /** What `/api/v1/query` follows, without a slash at the end. */
  readonly url: string;
  /** Of every request; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit of one query. */
  readonly timeoutMs: number;
}

export interface PostgresSource {
  readonly kind: "postgres";
  readonly name: string;
  /** `postgres://user:password@host:5432/database` */
  readonly url: string;
  /** Time limit of one query. */
  readonly timeoutMs: number;
}

/** What stands in the file where a value belongs: itself, or the name of a label or column that holds it. */
export type Term = { readonly constant: string | number | boolean } | { readonly field: string };

/** Reduces the points of a time to one number. */
export const reductions = ["avg", "min", "max", "sum", "last"] as const;

export interface Range {
  readonly lastMs: number;
  readonly stepMs: number;
  readonly reduce: (typeof reductions)[number];
  /** The share of the points that must be there and finite, above 0 and at most 1; of fewer nothing is made. */
  readonly minPoints: number;
}

/** The points of one series over a range that has no gap. */
export function pointsOf({ lastMs, stepMs }: Pick<Range, "lastMs" | "stepMs">): number {
  return Math.floor(lastMs / stepMs) + 1;
}

/** One query that feeds one metric. */
export interface Query {
  readonly name: string;
  readonly source: Source;
  /** PromQL or SQL. */
  readonly text: string;
  /** Of PromQL that is to be evaluated over a time. */
  readonly range?: Range;
  readonly scorecard: string;
  readonly metric: string;
  readonly raw: Readonly<Record<string, Term>>;
  readonly target: Readonly<Record<keyof Target, Term>>;
}

/** One row of a result, or one series of Prometheus. */
export interface ResultRow {
  /** For people: `{app="cart"}`, `row 3`. */
  readonly name: string;
  /** What a `$name` under `target` stands for. */
  readonly labels: Readonly<Record<string, unknown>>;
  /** What a `$name` under `raw` stands for. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * The time of the value (RFC 3339), where the source states it: when Prometheus evaluated a query, and of a range that
   * of the last point which counts.
   */
  readonly measuredAt?: string;
  /** Why the row proves nothing, whatever `raw` makes of it. Then nothing is sent for it. */
  readonly nothing?: string;
}

/** A query whose answer is longer does not say what it should: 100,000 series are a tenth of it. */
export const maxAnswerBytes: number = 64 * 1_048_576;

/** What a query gave. */
export interface QueryResult {
  readonly rows: readonly ResultRow[];
  /** What its source says besides, such as warnings. */
  readonly notes: readonly string[];
}

/** A query that gave nothing to send. The message is for people and holds no secret. */
export class QueryError extends Error {
  override readonly name = "QueryError";
}
