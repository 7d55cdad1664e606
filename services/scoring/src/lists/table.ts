import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { storeError } from "../store/failures.ts";
import { type Position, wrongCursor } from "./cursor.ts";
import type { Page, Paging } from "./list.ts";

/** The types of the values by which tables are ordered: the PostgreSQL type, and the form of a value as text. */
const kinds: Readonly<Record<Kind, RegExp>> = {
  text: /^/,
  numeric: /^-?\d{1,3}(?:\.\d{1,2})?$/,
  bigint: /^-?\d{1,18}$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

type Kind = "text" | "numeric" | "bigint" | "uuid";

/** An order of a table: expressions in SQL, each ascending. Together they differ between any two rows. */
export type Order = readonly (readonly [expression: string, kind: Kind])[];

/** A condition in SQL with the values of its question marks. */
export type Term = readonly [sql: string, ...values: unknown[]];

/** Which rows of which table a page shows. */
export interface Selection {
  /** The FROM clause. */
  readonly from: Term;
  /** Each must hold. */
  readonly where: readonly Term[];
  readonly order: Order;
  /** The columns in SQL, with names. */
  readonly columns: string;
  /** A column of JSON that can be large: a page ends where it is full of it. */
  readonly large?: string;
}

/** Most bytes of the large column in a page. A single row may have more. */
const maxLargeBytes = 4 * 1_048_576;

/** A column is one of the given values. */
export function isOneOf(column: string, values: readonly string[] | undefined): Term[] {
  return values ? [[`${column} = ANY(?::text[])`, values]] : [];
}

/** The conditions of a filter. */
export function within({ area, team, app, env }: TargetFilter): Term[] {
  return Object.entries({ area, team, app, env }).flatMap(([column, values]) => isOneOf(column, values));
}

function isPositionIn(order: Order, position: Position): boolean {
  const isValue = (value: Position[number] | undefined, kind: Kind) =>
    typeof value === "string" && kinds[kind].test(value);
  return position.length === order.length && order.every(([, kind], index) => isValue(position[index], kind));
}

/**
 * Reads a page of a table. It begins after the last row of the page before, so a page deep in the list costs as much as
 * the first one.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a position of another order
 */
export async function readPage<Row>(
  { lists }: Database,
  { from, where, order, columns, large }: Selection,
  { limit, after, counted }: Paging,
): Promise<Page<Row>> {
  if (after && !isPositionIn(order, after)) throw wrongCursor();
  const run = async (sql: string, values: readonly unknown[]) => {
    const { rows } = await lists.raw(sql, values as never).catch((error: unknown) => {
      throw storeError(error);
    });
    return rows;
  };
  const [source, ...sourceValues] = from;
  const all = conjunction(where);
  const count = counted ? `(SELECT count(*)::int FROM ${source} WHERE ${all.sql})` : "0";
  const [{ now, total }] = await run(
    `SELECT clock_timestamp() AS now, ${count} AS total`,
    counted ? [...sourceValues, ...all.values] : [],
  );
  const left = conjunction(after ? [...where, isAfter(order, after)] : where);
  const expressions = order.map(([expression]) => expression).join(", ");
  const rows: (Row & { position: Position; cut: boolean })[] = await run(
    `WITH page AS MATERIALIZED (
       SELECT *, row_number() OVER (ORDER BY ${expressions}) AS number
       FROM (SELECT * FROM ${source} WHERE ${left.sql} ORDER BY ${expressions} LIMIT ${limit + 1}) AS page
     ),
     beyond AS MATERIALIZED (SELECT ${large ? firstBeyond(large) : "NULL::bigint"} AS first)
     SELECT ${columns}, ARRAY[${order.map(([expression]) => `(${expression})::text`).join(", ")}] AS position,
       number IS NOT DISTINCT FROM first AS cut
       ${large ? `, CASE WHEN number IS DISTINCT FROM first THEN ${large} END AS ${large}` : ""}
     FROM page CROSS JOIN beyond
     WHERE number <= coalesce(first, number)
     ORDER BY number`,
    [...sourceValues, ...left.values],
  );
  const whole = rows.findIndex(({ cut }) => cut);
  const shown = Math.min(limit, whole === -1 ? rows.length : whole);
  return {
    asOf: now,
    items: rows.slice(0, shown).map(({ position: _, cut: __, ...row }) => row as Row),
    end: shown < rows.length ? rows[shown - 1]?.position : undefined,
    total,
  };
}

/**
 * The number of the first row whose predecessors in the page fill it. The sum goes from row to row and ends there, so no
 * result beyond is fetched or turned into text.
 */
function firstBeyond(large: string): string {
  return `(
    SELECT number FROM (
      SELECT number, sum(octet_length(${large}::text))
        OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
      FROM page
    ) AS sized
    WHERE bytes >= ${maxLargeBytes} ORDER BY number LIMIT 1
  )`;
}

function conjunction(terms: readonly Term[]): { sql: string; values: unknown[] } {
  return {
    sql: terms.length > 0 ? terms.map(([sql]) => `(${sql})`).join(" AND ") : "true",
    values: terms.flatMap(([, ...values]) => values),
  };
}

function isAfter(order: Order, position: Position): Term {
  const parameters = order.map(([, kind]) => `?::text::${kind}`);
  return [`(${order.map(([expression]) => expression).join(", ")}) > (${parameters.join(", ")})`, ...position];
}
