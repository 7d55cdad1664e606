import type { Waiver } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Failure } from "../data/ask.ts";
import { useReading } from "../data/reading.ts";
import { refreshAll } from "../data/refresh.ts";
import { date } from "../format.ts";
import { Heading } from "../parts/heading.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { AskButton } from "./ask-button.tsx";
import { latestOf } from "./became.ts";
import { decide } from "./deciding.ts";
import { WaiverCard } from "./waiver-card.tsx";
import { WaiverViews } from "./waiver-views.tsx";

const mostShown = 200;

/** What the reader asked for, the newest first, with what became of it. */
export function AskedScreen({ env }: { readonly env: string }) {
  const query = { requested_by: "me", all: true, sort: "newest", limit: mostShown } as const;
  const asked = useReading("/waivers", query, { upTo: mostShown });
  return (
    <>
      <Heading>What I asked for</Heading>
      <WaiverViews env={env} />
      <Read reading={asked}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Notice title="You asked for nothing yet">
              <p>A metric, a scorecard and a problem of an application have a button to ask for a waiver.</p>
            </Notice>
          ) : (
            <>
              <ul class="requests">
                {items.map((waiver) => (
                  <WaiverCard key={waiver.id} waiver={waiver}>
                    <Became waiver={waiver} />
                  </WaiverCard>
                ))}
              </ul>
              {items.length < total && (
                <p class="soft">
                  The newest {items.length} of {total}.
                </p>
              )}
            </>
          )
        }
      </Read>
    </>
  );
}

/** What became of a request, and what can be done with it now. */
function Became({ waiver }: { readonly waiver: Waiver }) {
  const { id, state, area, team, app, env, scorecard, metric, problem_type } = waiver;
  const { by, at, comment } = latestOf(waiver);
  const failure = useSignal<Failure>();
  const isBusy = useSignal(false);
  const status = useRef<HTMLParagraphElement>(null);
  const withdraw = async () => {
    isBusy.value = true;
    const [outcome] = await decide([waiver], "withdraw", "");
    isBusy.value = false;
    failure.value = outcome?.failure;
    await refreshAll();
    // The button is gone with the request.
    if (!outcome?.failure) status.current?.focus();
  };
  const names = { area, team, app, env, scorecard, metric, problem_type };
  const given = Object.entries(names).filter(([, name]) => name !== null);
  return (
    <>
      <p ref={status} tabIndex={-1}>
        <span class="tag">{state}</span>
        {by && (
          <>
            {" "}
            by <bdi>{by}</bdi>
          </>
        )}
        {at && `, ${date(at)}`}
        {comment && (
          <>
            : <q dir="auto">{comment}</q>
          </>
        )}
      </p>
      {state === "requested" && (
        <button type="button" disabled={isBusy.value} onClick={withdraw}>
          Withdraw
        </button>
      )}
      {state === "approved" && waiver.expires_at !== null && (
        <AskButton of={{ area, ...Object.fromEntries(given), extends: id }} />
      )}
      <Trouble failure={failure.value} />
    </>
  );
}
