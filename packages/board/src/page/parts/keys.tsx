import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isRemembered, remember } from "../data/remembered.ts";
import { place, viewOf } from "../place.ts";
import { docsPageOf } from "./docs-page.ts";

const keys = [
  ["/", "find an area, team or application"],
  ["f", "filter the list"],
  ["Tab", "into a list, and out of it"],
  ["← ↑ → ↓", "from cell to cell; Home, End, Page Up and Page Down go further"],
  ["Enter", "open what the cell leads to; on a head, order by it"],
  ["Esc", "leave the search, or this list of keys"],
  ["?", "this list of keys"],
] as const;

/** Speech input types single characters by accident, and screen readers have such keys of their own. */
const off = "single keys are off";

/** The list of keys, and those that work anywhere. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOff = useSignal(isRemembered(off));
  useEffect(() => {
    if (isOff.value) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "/") focusOn("#search");
      else if (event.key === "f") focusOn("main .filter");
      else if (event.key === "?") dialog.current?.showModal();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOff.value]);
  return (
    <>
      <footer>
        <button type="button" class="plain" onClick={() => dialog.current?.showModal()}>
          <kbd>?</kbd> Keys
        </button>
        <a href={new URL(`../docs/${docsPageOf(viewOf(place.value))}`, document.baseURI).href}>What is this?</a>
        <a href={new URL("../docs/", document.baseURI).href}>Docs</a>
      </footer>
      <dialog ref={dialog} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p>
          <label>
            <input
              type="checkbox"
              checked={isOff.value}
              onChange={({ currentTarget: { checked } }) => {
                isOff.value = checked;
                remember(off, checked);
              }}
            />{" "}
            Switch off the keys /, f and ?
          </label>
        </p>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}

function focusOn(selector: string): void {
  document.querySelector<HTMLInputElement>(selector)?.focus();
}
