import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { standing } from "../data/refresh.ts";
import { Skeleton } from "./states.tsx";

const beginning = "dialog[open] :is(select, input, textarea), body:not(:has(dialog[open])) main h1";

/**
 * A part of the page that is loaded when it is first shown.
 *
 * @param Waiting stands in its place until then
 */
export function partOf<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Waiting: FunctionComponent<Props> = () => <Skeleton />,
): FunctionComponent<Props> {
  const found = signal<FunctionComponent<Props>>();
  const hasFailed = signal(false);
  return (props) => {
    const Found = found.value;
    const wasMissing = useRef(!Found);
    // What failed to load is asked for again with each answer of the service.
    const again = hasFailed.value && standing.value.at;
    useEffect(() => {
      if (!Found) {
        load().then(
          (loaded) => {
            found.value = loaded;
          },
          () => {
            hasFailed.value = true;
          },
        );
      } else if (wasMissing.current && document.activeElement?.matches("body, dialog")) {
        // What a view or a dialog begins with was not there when it was.
        document.querySelector<HTMLElement>(beginning)?.focus({ preventScroll: true });
      }
    }, [Found, again]);
    if (Found) return <Found {...props} />;
    return hasFailed.value ? <NotLoaded /> : <Waiting {...props} />;
  };
}

/** After a new release the service no longer has the files of the old page. */
function NotLoaded() {
  return (
    <section class="notice">
      <h1 tabIndex={-1}>This part of the page did not load</h1>
      <p>The service does not answer, or has a newer page. The page asks again by itself.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </section>
  );
}
