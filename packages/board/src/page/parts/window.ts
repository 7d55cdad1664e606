import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { printing } from "./printing.ts";
import { rowsInSight } from "./rows.ts";

/** A list of up to so many rows is drawn whole. */
const drawnWhole = 100;

/** Which rows of a table are drawn: all of a short one or on paper, otherwise those in sight as the page scrolls. */
export function useRowsInSight(
  body: RefObject<HTMLTableSectionElement | null>,
  count: number,
  rowHeight: number,
): { readonly from: number; readonly to: number } {
  const isWhole = count <= drawnWhole || printing.value;
  const sight: ReadonlySignal<{ from: number; to: number }> = useSight(body, count, rowHeight, isWhole);
  return isWhole ? { from: 0, to: count } : sight.value;
}

function useSight(body: RefObject<HTMLTableSectionElement | null>, count: number, rowHeight: number, isWhole: boolean) {
  const sight = useSignal(rowsInSight(count, rowHeight, 0, innerHeight));
  useLayoutEffect(() => {
    if (isWhole) return;
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const next = rowsInSight(count, rowHeight, top, innerHeight);
      if (next.from !== sight.peek().from || next.to !== sight.peek().to) sight.value = next;
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [count, rowHeight, isWhole]);
  return sight;
}
