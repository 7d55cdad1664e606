import type { Waiver } from "@maturity/client";
import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { refreshAll } from "../data/refresh.ts";
import { useScorecards } from "../data/scorecards.ts";
import { plural } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Trouble } from "../parts/trouble.tsx";
import type { AskedFor } from "./asked-for.ts";
import { Extent } from "./covers.tsx";
import { decide, type Outcome } from "./deciding.ts";
import { inOneLine, subjectText, targetText } from "./words.ts";

/** What is decided. */
export interface Decision {
  readonly verb: "approve" | "reject";
  readonly waivers: readonly Waiver[];
}

const words = {
  approve: { title: "Approve", done: "approved", hint: "May be left empty." },
  reject: { title: "Reject", done: "rejected", hint: "The person who asked reads it." },
} as const;

/** Asks for the comment of a decision, and says what came of it. */
export function DecideDialog({
  decision: { verb, waivers },
  onDone,
  onClose,
}: {
  readonly decision: Decision;
  /** Called when at least one was decided, with the text that says so. */
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}) {
  const scorecards = useScorecards();
  const failed = useSignal<readonly Outcome[]>([]);
  const left = useSignal(waivers);
  const isBusy = useSignal(false);
  const { title, done, hint } = words[verb];

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>, close: () => void) => {
    event.preventDefault();
    const comment = inOneLine(new FormData(event.currentTarget).get("comment"));
    isBusy.value = true;
    const outcomes = await decide(left.value, verb, comment);
    isBusy.value = false;
    failed.value = outcomes.filter(({ failure }) => failure !== undefined);
    const decided = outcomes.length - failed.value.length;
    if (decided > 0) onDone(`${plural(decided, "request")} ${done}.`);
    // What somebody else has decided is not tried again.
    left.value = failed.value.filter(({ failure }) => failure?.code !== "waiver-decided").map(({ waiver }) => waiver);
    if (failed.value.length === 0) close();
    await refreshAll();
  };

  return (
    <Dialog
      title={waivers.length === 1 ? `${title} a request` : `${title} ${waivers.length} requests`}
      onClose={onClose}
    >
      {(close) => (
        <form onSubmit={(event) => submit(event, close)}>
          <ul>
            {waivers.map((waiver) => (
              <li key={waiver.id}>
                <b dir="auto">{subjectText(waiver, scorecards)}</b> of <bdi>{targetText(waiver)}</bdi>
                {waiver.app === null && (
                  <small>
                    <Extent target={wideTargetOf(waiver)} />
                  </small>
                )}
                <Trouble failure={failed.value.find((one) => one.waiver.id === waiver.id)?.failure} />
              </li>
            ))}
          </ul>
          {left.value.length > 0 && (
            <Field label="Comment" hint={hint}>
              {(attributes) => <textarea {...attributes} name="comment" rows={3} required={verb === "reject"} />}
            </Field>
          )}
          <p class="row">
            {left.value.length > 0 && (
              <button type="submit" class="button" disabled={isBusy.value}>
                {title}
              </button>
            )}
            <button type="button" onClick={close}>
              {left.value.length > 0 ? "Cancel" : "Close"}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}

/** What a waiver of all applications of a team or an area is for. */
function wideTargetOf({ area, team, scorecard, metric, problem_type }: Waiver): AskedFor {
  const names = Object.entries({ team, scorecard, metric, problem_type }).filter(([, name]) => name !== null);
  return { area, ...Object.fromEntries(names) };
}
