import { type ReadonlySignal, signal } from "@preact/signals";
import { options } from "preact";

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
