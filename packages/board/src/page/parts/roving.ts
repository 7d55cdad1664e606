import { useSignal } from "@preact/signals";
import type { RefObject, TargetedEvent, TargetedFocusEvent, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** A cell by its row in the whole list and its column, both from 0. */
interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The first row of `aria-rowindex` is that of the heads, and it counts from 1. */
const firstRow = 2;

/**
 * One cell of a grid is in the order of the Tab key, and the arrows, Home, End, Page Up and Page Down move to others.
 * The focus is on the link in a cell, where there is one. A narrow window shows only some columns, the first always.
 */
export function useRoving(
  table: RefObject<HTMLTableElement | null>,
  size: { readonly rows: number; readonly rowHeight: number },
) {
  const active = useSignal<Cell>({ row: 0, column: 0 });
  const wanted = useRef<Cell | undefined>(undefined);

  // After each drawing: the row may have had to be drawn first.
  useLayoutEffect(() => {
    const cell = wanted.current && cellAt(table.current, wanted.current);
    if (!cell) return;
    wanted.current = undefined;
    focusOn(cell);
  });

  // The Tab key reaches no cell of a column that is not shown: the list has other columns now, or the window is narrow.
  const leaveHidden = () => {
    const { row, column } = active.peek();
    if (column > 0 && !shownColumns(table.current).includes(column)) active.value = { row, column: 0 };
  };
  useLayoutEffect(leaveHidden);
  useEffect(() => {
    addEventListener("resize", leaveHidden);
    return () => removeEventListener("resize", leaveHidden);
  }, []);

  const move = (to: Cell) => {
    active.value = to;
    const cell = cellAt(table.current, to);
    if (cell) return focusOn(cell);
    wanted.current = to;
    const top = table.current?.tBodies[0]?.getBoundingClientRect().top ?? 0;
    scrollBy({ top: top + to.row * size.rowHeight - innerHeight / 2, behavior: "instant" });
  };

  return {
    active: { row: Math.min(active.value.row, Math.max(size.rows - 1, 0)), column: active.value.column },
    onFocusIn(event: TargetedFocusEvent<HTMLTableElement>) {
      const cell = cellOf(event);
      if (cell) active.value = cell;
    },
    onKeyDown(event: TargetedKeyboardEvent<HTMLTableElement>) {
      const from = cellOf(event);
      const to = from && destination(event, from, size.rows - 1, shownColumns(table.current));
      if (!to || event.altKey || event.metaKey) return;
      event.preventDefault();
      move(to);
    },
  };
}

function destination(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: Cell,
  lastRow: number,
  columns: readonly number[],
): Cell | undefined {
  const at = columns.indexOf(column);
  const [first = 0, last = first] = [columns[0], columns.at(-1)];
  const page = Math.max(Math.floor(innerHeight / 60), 5);
  const destinations: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: columns[at - 1] ?? first },
    ArrowRight: { row, column: columns[at + 1] ?? last },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row: ctrlKey ? 0 : row, column: first },
    End: { row: ctrlKey ? lastRow : row, column: last },
  };
  const to = destinations[key];
  return to && { row: Math.min(Math.max(to.row, 0), lastRow), column: to.column };
}

function cellOf({ target }: TargetedEvent<HTMLTableElement>): Cell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>("tbody td, tbody th") : null;
  const index = Number(cell?.closest("tr")?.getAttribute("aria-rowindex"));
  return cell && index >= firstRow ? { row: index - firstRow, column: cell.cellIndex } : undefined;
}

/** The columns that the window has room for, by their heads. */
function shownColumns(table: HTMLTableElement | null): readonly number[] {
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])];
  return heads.flatMap((head, column) => (head.checkVisibility() ? [column] : []));
}

function cellAt(table: HTMLTableElement | null, { row, column }: Cell): HTMLElement | undefined {
  return table?.querySelector<HTMLTableRowElement>(`tr[aria-rowindex="${row + firstRow}"]`)?.cells[column];
}

function focusOn(cell: HTMLElement): void {
  const target = cell.querySelector<HTMLElement>("a") ?? cell;
  target.focus({ preventScroll: true });
  // Beside the heads, which stay in sight.
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}
