import type { ServerRoute } from "@hapi/hapi";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { uuid } from "../model/fields.ts";
import type { Bounded } from "../model/grant.ts";
import type { Json } from "../openapi/operation.ts";
import { conjunction } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { query } from "../store/sql.ts";
import { type Position, wrongCursor } from "./cursor.ts";
import { type List, listRoute, type Page, type Paging } from "./list.ts";

/** The types of sort values: the PostgreSQL type, and the form of a value as text. */
const kinds: Readonly<Record<Kind, RegExp>> = {
  text: /^/,
  numeric: /^-?\d{1,3}(?:\.\d{1,2})?$/,
  bigint: /^-?\d{1,18}$/,
  uuid,
};

type Kind = "text" | "numeric" | "bigint" | "uuid";

/** An order of a table: expressions in SQL, each ascending. Together they differ between any two rows. */
export type Order = readonly (readonly [expression: string, kind: Kind])[];

/** The order by these columns or SQL expressions, which are texts. */
export function byNames(...expressions: readonly string[]): Order {
  return expressions.map((expression) => [expression, "text"]);
}

/** The rows and columns of a page. */
export interface Selection {
  /** The FROM clause. */
  readonly from: Sql;
  /** Conditions that must all hold. */
  readonly where: readonly Sql[];
  readonly order: Order;
  /** The columns in SQL, with names. */
  readonly columns: string;
  /** A column of JSON that can be large: a page ends early when it is full of it. */
  readonly large?: string;
}

/** A list that is a table. */
interface Table<Query extends object, Item extends object, Row> extends Omit<List<Query, Item>, "read"> {
  /** @throws ServiceError as `List.read` */
  readonly select: (query: Query, grant: Bounded) => Selection | Promise<Selection>;
  /** Makes an item of a row; by default the row is the item. */
  readonly show?: (row: Row, query: Query, grant: Bounded) => Item;
}

/** The route of a list that is a table. A type for its rows is needed only where the service itself reads them. */
export function tableRoute<Query extends object, Item extends object = Json, Row extends object = Item>(
  database: Database,
  { select, show = (row) => row as object as Item, ...list }: Table<Query, Item, Row>,
): ServerRoute {
  return listRoute<Query, Item>({
    ...list,
    async read(query, grant, paging) {
      const page = await readPage<Row>(database, await select(query, grant), paging);
      return { ...page, items: page.items.map((row) => show(row, query, grant)) };
    },
  });
}

/** Most bytes of the large column in a page. A single row may have more. */
const maxLargeBytes = 4 * 1_048_576;

/** Whether a position, which a caller may have made up, has a value of the right kind for each column of the order. */
function isPositionIn(order: Order, position: Position): boolean {
  const isValue = (value: Position[number] | undefined, kind: Kind) =>
    typeof value === "string" && kinds[kind].test(value);
  return position.length === order.length && order.every(([, kind], index) => isValue(position[index], kind));
}

/**
 * Reads a page of a table. It begins after the last row of the previous page, so that each page costs as much as the
 * first.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a position of another order
 */
async function readPage<Row extends object>(
  { lists }: Database,
  { from, where, order, columns, large }: Selection,
  { limit, after, counted }: Paging,
): Promise<Page<Row>> {
  if (after && !isPositionIn(order, after)) throw wrongCursor();
  const count = counted ? sql`(SELECT count(*)::int FROM ${from} WHERE ${conjunction(where)})` : sql`0`;
  const [{ now, total }] = await orStoreError(query(lists)`SELECT clock_timestamp() AS now, ${count} AS total`);
  const left = conjunction(after ? [...where, isAfter(order, after)] : where);
  const expressions = join(sqlOf(order));
  const rows: (Row & { position: Position; cut: boolean })[] = await orStoreError(
    query(lists)`
      WITH page AS MATERIALIZED (
        SELECT *, row_number() OVER (ORDER BY ${expressions}) AS number
        FROM (SELECT * FROM ${from} WHERE ${left} ORDER BY ${expressions} LIMIT ${limit + 1}::int) AS page
      ),
      cut_off AS MATERIALIZED (SELECT ${large ? firstCutOff(raw(large)) : sql`NULL::bigint`} AS first)
      SELECT ${raw(columns)}, ARRAY[${join(sqlOf(order).map((one) => sql`(${one})::text`))}] AS position,
        number IS NOT DISTINCT FROM first AS cut
        ${large ? raw(`, CASE WHEN number IS DISTINCT FROM first THEN ${large} END AS ${large}`) : empty}
      FROM page CROSS JOIN cut_off
      WHERE number <= coalesce(first, number)
      ORDER BY number
    `,
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
 * The number of the first row that does not fit into the page any more. The sum ends there, so that no larger result
 * is fetched or rendered.
 */
function firstCutOff(large: Sql): Sql {
  return sql`(
    SELECT number FROM (
      SELECT number, sum(octet_length(${large}::text))
        OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
      FROM page
    ) AS sized
    WHERE bytes >= ${maxLargeBytes}::int ORDER BY number LIMIT 1
  )`;
}

function isAfter(order: Order, position: Position): Sql {
  const values = order.map(([, kind], index) => sql`${position[index]}::text::${raw(kind)}`);
  return sql`(${join(sqlOf(order))}) > (${join(values)})`;
}

function sqlOf(order: Order): Sql[] {
  return order.map(([expression]) => raw(expression));
}
