import { type ReadonlySignal, signal } from "@preact/signals";
import { options } from "preact";
import { useEffect } from "preact/hooks";
import { change, type Place, place } from "../place.ts";

const current = signal(false);

/** Is the page being printed? Then lists show every row, and not only those in sight. */
export const printing: ReadonlySignal<boolean> = current;

/** Follows the browser's wish to print. It takes the page as it is when the event ends, so that is drawn at once. */
export function followPrinting(): void {
  const set = (value: boolean) => {
    const { debounceRendering } = options;
    options.debounceRendering = (draw) => draw();
    current.value = value;
    if (debounceRendering) options.debounceRendering = debounceRendering;
    else delete (options as Partial<typeof options>).debounceRendering;
  };
  addEventListener("beforeprint", () => set(true));
  addEventListener("afterprint", () => set(false));
}

/** The place whose list is being read to its end, to be printed then. A reader that leaves and comes back has another place, so nothing is printed. */
const awaited = signal<Place | undefined>(undefined);

/**
 * Prints a list with all its rows, after reading those that are missing: a browser that has begun to print does not wait.
 * The keys by which one prints do the same.
 *
 * @param isWhole has the list been read to its end?
 */
export function usePrinting(isWhole: boolean): () => void {
  useEffect(() => {
    if (!isWhole || awaited.value !== place.value) return;
    awaited.value = undefined;
    // An effect may run while its component is drawn again, and what is on paper cannot be drawn within another drawing.
    queueMicrotask(() => print());
  }, [isWhole, awaited.value]);

  const printAll = () => {
    if (isWhole) return print();
    change({ all: "1" }, { replace: true });
    awaited.value = place.value;
  };
  useEffect(() => {
    if (isWhole) return;
    const onKey = (event: KeyboardEvent) => {
      const isPrint = event.key === "p" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isPrint) return;
      event.preventDefault();
      printAll();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isWhole]);
  return printAll;
}
