import { useSignal } from "@preact/signals";
import type { RefObject, TargetedEvent, TargetedFocusEvent, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A cell by its row in the whole list and its column, both from 0. */
interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The first row of `aria-rowindex` is that of the heads, and it counts from 1. */
const firstRow = 2;

/**
 * One cell of a grid is in the order of the Tab key, and the arrows, Home, End, Page Up and Page Down move to others.
 * The focus is on the link in a cell, where there is one.
 */
export function useRoving(
  table: RefObject<HTMLTableElement | null>,
  size: { readonly rows: number; readonly columns: number; readonly rowHeight: number },
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

  const move = (to: Cell) => {
    active.value = to;
    const cell = cellAt(table.current, to);
    if (cell) return focusOn(cell);
    wanted.current = to;
    const top = table.current?.tBodies[0]?.getBoundingClientRect().top ?? 0;
    scrollBy({ top: top + to.row * size.rowHeight - innerHeight / 2, behavior: "instant" });
  };

  return {
    // The list may have fewer rows and columns now.
    active: {
      row: Math.min(active.value.row, Math.max(size.rows - 1, 0)),
      column: Math.min(active.value.column, size.columns - 1),
    },
    onFocusIn(event: TargetedFocusEvent<HTMLTableElement>) {
      const cell = cellOf(event);
      if (cell) active.value = cell;
    },
    onKeyDown(event: TargetedKeyboardEvent<HTMLTableElement>) {
      const from = cellOf(event);
      const to = from && destination(event, from, { row: size.rows - 1, column: size.columns - 1 });
      if (!to || event.altKey || event.metaKey) return;
      event.preventDefault();
      move(to);
    },
  };
}

function destination({ key, ctrlKey }: KeyboardEvent, { row, column }: Cell, last: Cell): Cell | undefined {
  const page = Math.max(Math.floor(innerHeight / 60), 5);
  const destinations: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last.row : row, column: last.column },
  };
  const to = destinations[key];
  const within = (at: number, most: number) => Math.min(Math.max(at, 0), most);
  return to && { row: within(to.row, last.row), column: within(to.column, last.column) };
}

function cellOf({ target }: TargetedEvent<HTMLTableElement>): Cell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>("tbody td, tbody th") : null;
  const index = Number(cell?.closest("tr")?.getAttribute("aria-rowindex"));
  return cell && index >= firstRow ? { row: index - firstRow, column: cell.cellIndex } : undefined;
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
