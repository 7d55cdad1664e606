import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Failure, shownPerson } from "../data/ask.ts";
import type { Answer, Reading } from "../data/reading.ts";
import { isPassing } from "../data/refresh.ts";
import { readBounds } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { sentence } from "../format.ts";
import { hrefOf, place } from "../place.ts";
import { BoundsText } from "./bounds.tsx";
import { Unfiltered } from "./heading.tsx";
import { SignIn } from "./sign-in.tsx";

/** A screen appears at once or after this; what comes sooner shows no skeleton. */
const skeletonAfter = 150;

/**
 * What a reading says, once there is something: until then its skeleton, the way to sign in, or why there is nothing.
 * A failure later leaves what was read.
 */
export function Read<Item>({
  reading,
  hasFigures = false,
  children,
}: {
  readonly reading: Reading<Item> | undefined;
  /** Do figures stand at the head of what is read? */
  readonly hasFigures?: boolean;
  readonly children: (answer: Answer<Item>) => ComponentChildren;
}) {
  const failure = reading?.failure.value;
  const answer = reading?.answer.value;
  if (failure?.status === 401) return <SignIn />;
  if (failure && !isPassing(failure.status)) return <Refused failure={failure} />;
  if (answer) return <>{children(answer)}</>;
  return failure ? <Trouble failure={failure} /> : <Skeleton hasFigures={hasFigures} />;
}

/** As high as what comes in its place, so that nothing jumps. */
export function Skeleton({ hasFigures = false }: { readonly hasFigures?: boolean }) {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown.value = true;
    }, skeletonAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown.value ? "skeleton shown" : "skeleton"} role="status">
      <span class="sr">{isShown.value ? "loading" : ""}</span>
      {hasFigures && <i class="figures" />}
      <i class="tools" />
      <i class="rows" />
    </div>
  );
}

function Refused({ failure: { status, message, details } }: { readonly failure: Failure }) {
  if (details?.some(({ path }) => path === shownPerson)) {
    return (
      <Notice title="Somebody else has signed in">
        <p>
          This window shows what <b>{session.value?.name}</b> may see, and another window of this browser has signed in
          somebody else.
        </p>
        <p class="links">
          <a href={location.href} onClick={() => location.reload()}>
            Load the page again
          </a>
        </p>
      </Notice>
    );
  }
  const isBeyond = status === 403;
  const hasLeft = message.includes("has moved out of your bounds");
  const bounds = isBeyond && !hasLeft ? readBounds(session.value) : [];
  const title = hasLeft ? "Moved away" : isBeyond ? "Beyond what you may read" : "The service refused this";
  return (
    <Notice title={title}>
      {bounds.length === 0 ? (
        <p>{hasLeft ? `${message}.` : sentence(message)}</p>
      ) : (
        <p>
          <b>{session.value?.name}</b> is bound to <BoundsText of={bounds} />.
        </p>
      )}
      <p class="links">
        {isBeyond && session.value && (
          <a href={hrefOf({ view: "yours", env: place.value.env })}>Why can't I see this?</a>
        )}
        {status === 400 ? <Unfiltered /> : <a href={hrefOf({ env: place.value.env })}>Back to the organisation</a>}
      </p>
    </Notice>
  );
}

function Trouble({ failure }: { readonly failure: Failure }) {
  return (
    <Notice title="No answer yet">
      <p>{sentence(failure.message)} The page asks again by itself.</p>
    </Notice>
  );
}

/** What stands where a list would stand. */
export function Notice({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="notice">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
