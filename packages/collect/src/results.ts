import type { AnySubmission } from "@maturity/client";
import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { type Query, QueryError, type ResultRow, type Term } from "./query.ts";

/** A result to send, and the row it was made of. */
export interface Result {
  readonly row: string;
  readonly submission: AnySubmission;
}

/** A message about one row. */
export interface RowNote {
  readonly row: string;
  readonly text: string;
}

/** What the rows of a query come to. */
export interface Results {
  readonly results: readonly Result[];
  /** Rows that say that there is nothing to say. */
  readonly skipped: readonly RowNote[];
  /** Rows that nothing can be made of. */
  readonly faults: readonly RowNote[];
}

/**
 * Makes results of the rows of a query.
 *
 * @param sent target and metric → the query that sends it; those of this query are added
 * @throws QueryError when two rows are of one target, or another query sends what a row is for
 */
export function resultsOf(query: Query, rows: readonly ResultRow[], sent: Map<string, string>): Results {
  const results: Result[] = [];
  const skipped: RowNote[] = [];
  const faults: RowNote[] = [];
  const taken = new Map<string, ResultRow>();
  const sending = new Map<string, string>();
  for (const row of rows) {
    const target = targetOf(query, row);
    const raw = rawOf(query, row);
    const problems = [...target.faults, ...raw.faults];
    if (problems.length > 0) {
      faults.push({ row: row.name, text: problems.join("; ") });
      continue;
    }
    const key = JSON.stringify([query.scorecard, query.metric, target.value]);
    const other = taken.get(key);
    if (other) {
      const both = `${other.name} and ${row.name} are both of ${nameOf(target.value)}`;
      throw new QueryError(`${both}: ${advice(query, other, row)}`);
    }
    taken.set(key, row);
    const nothing = row.nothing ?? raw.nothing.join("; ");
    if (nothing) {
      skipped.push({ row: row.name, text: nothing });
      continue;
    }
    const owner = sent.get(key);
    if (owner !== undefined)
      throw new QueryError(`${row.name} is of ${nameOf(target.value)}, for which ${owner} sends it`);
    sending.set(key, query.name);
    const { scorecard, metric } = query;
    const { name, measuredAt } = row;
    const time = measuredAt && { measured_at: measuredAt };
    results.push({ row: name, submission: { ...target.value, scorecard, metric, raw: raw.value, ...time } });
  }
  for (const [key, name] of sending) sent.set(key, name);
  return { results, skipped, faults };
}

function targetOf({ target, source }: Query, { labels }: ResultRow): { value: Target; faults: string[] } {
  const faults: string[] = [];
  const value = Object.fromEntries(
    targetFields.map((field) => {
      const term = target[field];
      const found = valueAt(term, labels);
      if (typeof found === "number") return [field, String(found)];
      if (typeof found === "string" && found !== "") return [field, found];
      faults.push(`${field}: ${missing(term, found, source.kind)}`);
      return [field, ""];
    }),
  ) as Target;
  return { value, faults };
}

function missing(term: Term, found: unknown, kind: Query["source"]["kind"]): string {
  const field = "field" in term ? term.field : "";
  if (kind === "prometheus") return `the series has no label ${field}`;
  if (found === null) return `$${field} is null`;
  return found === "" ? `$${field} is empty` : `$${field} is ${described(found)} and must be a text; cast it: ::text`;
}

function rawOf({ raw }: Query, { values }: ResultRow) {
  const faults: string[] = [];
  const nothing: string[] = [];
  const value = new Map<string, number | boolean | string>();
  for (const [field, term] of Object.entries(raw)) {
    const found = valueAt(term, values);
    const name = `$${"field" in term ? term.field : field}`;
    if (found === null || found === undefined) nothing.push(`${name} is null`);
    else if (typeof found === "number" && !Number.isFinite(found)) nothing.push(`${name} is ${found}`);
    else if (typeof found === "number" || typeof found === "boolean") value.set(field, found);
    else if ("constant" in term) value.set(field, term.constant);
    else faults.push(`${field}: ${name} is ${described(found)} and must be a number or a boolean; cast it: ::float8`);
  }
  return { value: Object.fromEntries(value), nothing, faults };
}

function valueAt(term: Term, fields: Readonly<Record<string, unknown>>): unknown {
  if ("constant" in term) return term.constant;
  return fieldOf(fields, term.field);
}

/** Never by brackets: every object has a `constructor`. */
function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function described(value: unknown): string {
  return typeof value === "string" ? `the text ${JSON.stringify(value.slice(0, 50))}` : `a ${typeof value}`;
}

function nameOf(target: Target): string {
  return targetFields.map((field) => target[field]).join("/");
}

/** The labels in which two rows of one target differ are those to aggregate over. */
function advice({ source }: Query, one: ResultRow, other: ResultRow): string {
  if (source.kind === "postgres") return "group the rows by what the target is made of";
  const names = new Set([...Object.keys(one.labels), ...Object.keys(other.labels)]);
  const differing = [...names].filter((name) => fieldOf(one.labels, name) !== fieldOf(other.labels, name));
  return `aggregate over what they differ in, such as avg without (${differing.join(", ")}) (…)`;
}
