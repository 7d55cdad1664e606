import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useScorecards } from "../data/scorecards.ts";
import { Dialog } from "../parts/dialog.tsx";
import { partOf } from "../parts/part.tsx";
import { hrefOf, place } from "../place.ts";
import { type AskedFor, askedFor, stopAsking } from "./asked-for.ts";
import { subjectText } from "./words.ts";

const AskForm = partOf(async () => (await import("./part.ts")).AskForm);

/** The form that asks for a waiver, over whatever screen it was opened on. */
export function AskDialog() {
  const of = askedFor.value;
  return of ? <Asking of={of} /> : null;
}

function Asking({ of }: { readonly of: AskedFor }) {
  const isSent = useSignal(false);
  const scorecards = useScorecards();
  const verb = of.extends ? "Ask to extend the waiver of" : "Ask for a waiver of";
  return (
    <Dialog title={`${verb} ${subjectText(of, scorecards)}`} onClose={stopAsking}>
      {(close) =>
        isSent.value ? (
          <Sent close={close} />
        ) : (
          <AskForm
            of={of}
            onSent={() => {
              isSent.value = true;
            }}
            onCancel={close}
          />
        )
      }
    </Dialog>
  );
}

function Sent({ close }: { readonly close: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <>
      <p role="status">Your request is sent. It waives nothing until somebody else approves it.</p>
      <p class="row">
        <button ref={button} type="button" class="button" onClick={close}>
          Close
        </button>
        <a href={hrefOf({ view: "asked", env: place.value.env })} onClick={close}>
          What I asked for
        </a>
      </p>
    </>
  );
}
