import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { printing } from "./printing.ts";
import { type Rows, rowsInSight } from "./rows.ts";

/** The most rows of a list that is drawn whole. */
const drawnWhole = 100;

/** How long the first drawing of a list is alone, in milliseconds, so that the browser can show it. */
const headStart = 100;

/**
 * Which rows of a table are drawn: all of a short one or on paper, otherwise those in sight as the page scrolls. What is
 * drawn first is only what fits into the window, so that it can be seen soon.
 */
export function useRowsInSight(
  body: RefObject<HTMLTableSectionElement | null>,
  count: number,
  rowHeight: number,
): Rows {
  const isPainted = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isPainted.value = true;
    }, headStart);
    return () => clearTimeout(timer);
  }, []);
  const isWhole = printing.value || (count <= drawnWhole && isPainted.value);
  const sight = useSight(body, count, rowHeight, isPainted.value, isWhole);
  return isWhole ? { from: 0, to: count } : sight.value;
}

function useSight(
  body: RefObject<HTMLTableSectionElement | null>,
  count: number,
  rowHeight: number,
  isPainted: boolean,
  isWhole: boolean,
): ReadonlySignal<Rows> {
  const sight = useSignal<Rows>({ from: 0, to: Math.min(count, Math.ceil(innerHeight / rowHeight)) });
  /** Where the first row was when that was measured. */
  const top = useRef(0);
  const draw = useRef(() => {});
  draw.current = () => {
    if (isWhole || (!isPainted && top.current >= 0)) return;
    const next = rowsInSight(count, rowHeight, top.current, innerHeight);
    if (next.from !== sight.peek().from || next.to !== sight.peek().to) sight.value = next;
  };
  useLayoutEffect(() => {
    const look = () => {
      top.current = body.current?.getBoundingClientRect().top ?? 0;
      draw.current();
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [isPainted, isWhole]);
  // The rows begin where they did, however many there are, so that is not measured again.
  useLayoutEffect(() => draw.current(), [count, rowHeight]);
  return sight;
}
