import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count } from "../format.ts";
import { change, place, viewOf } from "../place.ts";
import type { Column } from "./column.ts";
import { csvOf, save } from "./csv.ts";

/** What a list shows of how much, and what can be done with it. */
export function Toolbar<Row>({
  name,
  columns,
  rows,
  read,
  total,
}: {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly read: number;
  readonly total: number;
}) {
  const { q = "", all } = place.value;
  const saveCsv = () => {
    const saved = columns.filter(({ kind }) => kind !== "line");
    const head = saved.map(({ id }) => id);
    save(`${viewOf(place.value)}.csv`, csvOf([head, ...rows.map((row) => saved.map(({ value }) => value(row)))]));
  };
  const isCapped = read < total;
  const waitsToPrint = useSignal(false);
  useEffect(() => {
    if (isCapped || !waitsToPrint.value) return;
    waitsToPrint.value = false;
    print();
  }, [isCapped, waitsToPrint.value]);
  const printAll = () => {
    if (!isCapped) return print();
    waitsToPrint.value = true;
    change({ all: "1" }, { replace: true });
  };
  return (
    <div class="toolbar">
      <input
        type="search"
        class="filter"
        aria-label={`Filter: ${name}`}
        placeholder="Filter by name"
        value={q}
        onInput={({ currentTarget }) => change({ q: currentTarget.value }, { replace: true })}
      />
      <span role="status">
        {rows.length === total ? count(total) : `${count(rows.length)} of ${count(total)}`}
        {rows.length < read && q !== "" && (
          <>
            {" "}
            with “<bdi>{q}</bdi>”
          </>
        )}
      </span>
      {isCapped && !all && (
        <button type="button" onClick={() => change({ all: "1" }, { replace: true })}>
          Read all {count(total)}
        </button>
      )}
      <span class="actions">
        <CopyLink />
        <button type="button" onClick={saveCsv}>
          CSV
        </button>
        <button type="button" onClick={printAll}>
          Print
        </button>
      </span>
    </div>
  );
}

/** Copies the address, which holds all that is chosen. */
function CopyLink() {
  const state = useSignal("Copy link");
  const copy = async () => {
    const isCopied = await copyText(location.href);
    state.value = isCopied ? "Copied" : "Copy the address above";
    setTimeout(() => {
      state.value = "Copy link";
    }, 2_000);
  };
  return (
    <button type="button" onClick={copy}>
      <span aria-live="polite">{state}</span>
    </button>
  );
}

/** Puts a text into the clipboard, if the browser lets: over plain HTTP it may not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
