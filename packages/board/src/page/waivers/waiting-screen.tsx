import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useReading } from "../data/reading.ts";
import { Heading } from "../parts/heading.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { DecideDialog, type Decision } from "./decide-dialog.tsx";
import { Requests } from "./requests.tsx";
import { WaiverViews } from "./waiver-views.tsx";

/** So many are read; more come when these are decided. */
const mostShown = 200;

/** The requests that the reader may decide. */
export function WaitingScreen({ env }: { readonly env: string }) {
  const query = { decidable: true, sort: "oldest", limit: mostShown };
  const waiting = useReading("/waivers", query, { upTo: mostShown });
  const decision = useSignal<Decision>();
  const said = useSignal("");
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that had the focus goes with its request.
    if (said.value && !decision.value) status.current?.focus();
  }, [said.value, decision.value]);
  return (
    <>
      <Heading>Waits for me</Heading>
      <WaiverViews env={env} />
      <p ref={status} tabIndex={-1} role="status">
        {said.value}
      </p>
      <Read reading={waiting}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Notice title="Nothing waits for you">
              <p>When others ask for a waiver that you may decide on, it stands here.</p>
            </Notice>
          ) : (
            <Requests
              waivers={items}
              total={total}
              onDecide={(next) => {
                said.value = "";
                decision.value = next;
              }}
            />
          )
        }
      </Read>
      {decision.value && (
        <DecideDialog
          decision={decision.value}
          onDone={(text) => {
            said.value = text;
          }}
          onClose={() => {
            decision.value = undefined;
          }}
        />
      )}
    </>
  );
}
