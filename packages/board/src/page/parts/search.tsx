import type { Found } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, askPage } from "../data/ask.ts";
import { plural } from "../format.ts";
import { go, hrefOf } from "../place.ts";
import { FoundName } from "./found-name.tsx";

/** A pause in typing after which it is searched, in milliseconds. */
const pause = 80;
const mostFound = 12;

interface State {
  /** What was searched; undefined where nothing is shown. */
  readonly words: string | undefined;
  readonly found: readonly Found[];
  /** The text instead of a list, or beside it. */
  readonly note: string;
}

const nothing: State = { words: undefined, found: [], note: "" };

/** Finds areas, teams and applications by name, and goes there. */
export function Search({ env }: { readonly env: string | undefined }) {
  const query = useSignal("");
  const state = useSignal(nothing);
  const chosen = useSignal(0);
  const isInside = useSignal(false);
  /** Was Enter pressed before the answer to what is typed? */
  const isEntered = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const words = query.value.trim();

  useLayoutEffect(() => {
    chosen.value = 0;
    isEntered.current = false;
    if (words === "" || !isInside.value) {
      state.value = nothing;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await search(words, stop.signal);
      if (stop.signal.aborted) return;
      state.value = answer;
      if (isEntered.current) leave(answer.found[0]);
    }, pause);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [words, isInside.value]);

  const close = () => {
    query.value = "";
    input.current?.blur();
  };
  const leave = (found: Found | undefined) => {
    if (!found) return;
    go(hrefOf(placeOf(found, env)));
    close();
  };
  const { found, note } = state.value;
  const onKeyDown = (event: KeyboardEvent) => {
    const isAnswered = state.value.words === words;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      if (isAnswered) chosen.value = (chosen.value + step + found.length) % found.length;
    } else if (event.key === "Enter") {
      if (isAnswered) leave(found[chosen.value]);
      else isEntered.current = words !== "";
    } else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };

  return (
    <search class="search">
      <input
        ref={input}
        id="search"
        type="text"
        role="combobox"
        aria-label="Find an area, team or application"
        placeholder="Find an area, team or application"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `found-${chosen.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
        }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          isInside.value = true;
        }}
        onBlur={() => {
          isInside.value = false;
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      <div class="popup" hidden={found.length === 0 && note === ""}>
        <div id="found" role="listbox" aria-label="Found" hidden={found.length === 0}>
          {found.map((one, index) => (
            <div
              key={hrefOf(placeOf(one, env))}
              id={`found-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen.value}
              onMouseDown={(event) => {
                event.preventDefault(); // the focus stays, so that the list does until the click
                leave(one);
              }}
            >
              <FoundName of={one} formerly={one.formerly} />
            </div>
          ))}
        </div>
        <p class={note ? "note" : "sr"} role="status">
          {note || (found.length > 0 ? `${found.length} found` : "")}
        </p>
      </div>
    </search>
  );
}

function placeOf({ area, team, app }: Found, env: string | undefined): Parameters<typeof hrefOf>[0] {
  return { env, area, team: team ?? undefined, app: app ?? undefined };
}

async function search(words: string, signal: AbortSignal): Promise<State> {
  try {
    const address = addressOf("/search", { q: words, limit: mostFound });
    const { items = [], total = 0 } = (await askPage<Found>(address, { signal }))?.body ?? {};
    const rest = total > items.length ? `The first ${items.length} of ${plural(total, "match", "matches")}` : "";
    const note = total === 0 ? `Nothing is called “${words}”` : rest;
    return { words, found: items, note };
  } catch (error) {
    return { words, found: [], note: error instanceof Error ? error.message : "" };
  }
}
