import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { plural } from "../format.ts";
import { change, place } from "../place.ts";
import { type Column, isNamed } from "./column.ts";
import { useNarrow } from "./narrow.ts";
import { useRoving } from "./roving.ts";
import { folded, matching, type Order, ordered, searchable, type Value } from "./rows.ts";
import { Toolbar } from "./toolbar.tsx";
import { laidOut, widths } from "./widths.ts";
import { useRowsInSight } from "./window.ts";

const usualHeight = 38;

/** A list as a grid that orders, filters, prints and saves itself, however long it is. */
export function Grid<Row extends object>({
  label,
  rows,
  total,
  columns,
  order,
  given = order,
  of,
  rowHeight = usualHeight,
}: {
  readonly label: string;
  /** What a row is: `application`. */
  readonly of: string;
  readonly rows: readonly Row[];
  /** How many rows there would be if all were read. */
  readonly total: number;
  readonly columns: readonly Column<Row>[];
  /** Unless the address names one. */
  readonly order: Order;
  /** In which the service gives the rows, if it is another one. */
  readonly given?: Order;
  /** In pixels. */
  readonly rowHeight?: number;
}) {
  const { sort: chosen, q = "" } = place.value;
  // Which rows come first in another order than that of the service is known once all are read.
  const isWhole = rows.length >= total;
  const sort = isWhole ? (chosen ?? order) : given;
  const isAwaited = chosen !== undefined && chosen !== sort;
  useLayoutEffect(() => {
    if (isAwaited) change({ all: "1" }, { replace: true });
  }, [isAwaited]);
  const all = useMemo(() => {
    const column = isWhole && columns.find(({ id }) => id === sort.replace(/^-/, ""));
    return column ? ordered(rows, column.rank ?? column.value, sort.startsWith("-")) : rows;
  }, [rows, columns, sort, isWhole]);
  // What is typed only picks from what is ready: a paint must follow each key.
  const textOf = useMemo(() => textsBy(columns), [columns]);
  const texts = useMemo(() => searchable(all.map(textOf)), [all, textOf]);
  const sorted = useMemo(() => matching(all, texts, q), [all, texts, q]);

  const table = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to } = useRowsInSight(body, sorted.length, rowHeight);
  const roving = useRoving(table, { rows: sorted.length, columns: columns.length, rowHeight });
  const tabRow = roving.active.row >= from && roving.active.row < to ? roving.active.row : from;
  const { shown, beyond, least, isBroad } = laidOut(columns, useNarrow());

  return (
    <section class="list" aria-label={label}>
      <Toolbar name={label} of={of} columns={columns} rows={sorted} read={rows.length} total={total} />
      <div class={isBroad ? "frame broad" : "frame"}>
        <table
          ref={table}
          role="grid"
          aria-label={label}
          aria-rowcount={(!isWhole && q === "" ? total : sorted.length) + 1}
          aria-colcount={columns.length}
          style={{
            "--row": `${rowHeight}px`,
            "--lines": Math.floor(rowHeight / 19),
            "--beyond": `${beyond}px`,
            "--least": `${least}px`,
          }}
          onKeyDown={roving.onKeyDown}
          onFocusIn={roving.onFocusIn}
        >
          <colgroup>
            {shown.map(({ column: { id, kind }, width }) => (
              <col key={id} class={kind} style={width ? { width: `${width}px` } : {}} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {shown.map(({ column }) => (
                <Head key={column.id} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Gap height={from * rowHeight} />
            {sorted.slice(from, to).map((row, index) => (
              // By its place: another row there changes some texts, which takes less time than to draw it anew.
              <tr key={from + index} aria-rowindex={from + index + 2}>
                {shown.map(({ column }, at) => (
                  <Cell
                    key={column.id}
                    column={column}
                    row={row}
                    isName={at === 0}
                    isTab={from + index === tabRow && at === roving.active.column}
                  />
                ))}
              </tr>
            ))}
            <Gap height={(sorted.length - to) * rowHeight} />
          </tbody>
        </table>
      </div>
      {sorted.length === 0 && q !== "" && <NothingLeft among={plural(rows.length, of)} />}
    </section>
  );
}

/** A list whose filter leaves nothing. */
function NothingLeft({ among }: { readonly among: string }) {
  return (
    <p class="nothing">
      None of these {among} has “<bdi>{place.value.q}</bdi>” in a name.{" "}
      <button type="button" onClick={() => change({ q: undefined }, { replace: true })}>
        Clear the filter
      </button>
    </p>
  );
}

/** Makes a function that gives the text of a row to search in. A row that is known is not read again. */
function textsBy<Row extends object>(columns: readonly Column<Row>[]): (row: Row) => string {
  const named = columns.filter(isNamed);
  const known = new WeakMap<Row, string>();
  return (row) => {
    const text = known.get(row) ?? folded(named.map(({ value }) => value(row) ?? "").join(" "));
    known.set(row, text);
    return text;
  };
}

/** In place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return (
    <tr class="gap" aria-hidden="true" style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}

function Head<Row>({ column, sort }: { readonly column: Column<Row>; readonly sort: Order }) {
  const { id, head, title, kind, group, isDown } = column;
  const sorted = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  const first = isDown ? `-${id}` : id;
  const other = isDown ? id : `-${id}`;
  return (
    <th scope="col" class={classOf(column)} aria-sort={sorted} title={title}>
      {group && (
        <small class="group" style={{ width: `${group.columns * (widths[kind] ?? 0)}px` }} aria-hidden="true">
          {group.name}
        </small>
      )}
      <button type="button" onClick={() => change({ sort: sort === first ? other : first }, { replace: true })}>
        <span>{head}</span>
        {sorted && <span aria-hidden="true">{sorted === "ascending" ? "↑" : "↓"}</span>}
      </button>
    </th>
  );
}

/** A text that breaks at the ends of its parts first, where it has to. */
export function breakable(text: string): ComponentChildren {
  return text.split(/(?<=[_./@-])/).map((part, index) => [index > 0 && <wbr />, part]);
}

function classOf({ kind, group }: Column<never>): string {
  return group === undefined ? kind : `${kind} first`;
}

/** What a cell may cut off: a text, and no number. */
function titleOf(value: Value): string | undefined {
  return typeof value === "number" ? undefined : value;
}

function Cell<Row>({
  column,
  row,
  isName,
  isTab,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isName: boolean;
  readonly isTab: boolean;
}) {
  const { show, value, href } = column;
  const content = show ? show(row) : <bdi>{breakable(String(value(row) ?? ""))}</bdi>;
  const tabIndex = isTab ? 0 : -1;
  const attributes = {
    class: classOf(column),
    ...(href ? {} : { tabIndex, ...(!show && { title: titleOf(value(row)) }) }),
  };
  const inside = href ? (
    <a href={href(row)} tabIndex={tabIndex} title={titleOf(value(row))}>
      {content}
    </a>
  ) : (
    content
  );
  return isName ? (
    <th scope="row" {...attributes}>
      {inside}
    </th>
  ) : (
    <td {...attributes}>{inside}</td>
  );
}
