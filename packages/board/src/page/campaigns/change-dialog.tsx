import type { Campaign } from "@maturity/client";
import { addressOf, send } from "../data/ask.ts";
import { useAttempt } from "../data/attempt.ts";
import { refreshAll } from "../data/refresh.ts";
import { dayOf } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble } from "../parts/trouble.tsx";

/** The state that a campaign gets by hand. */
export type Step = "running" | "ended" | "archived";

const effects: Readonly<Record<Step, string>> = {
  running: "It runs from today on. From then on its goal and its first day cannot change.",
  ended: "It ends now, and stays with its recorded days. It cannot be started again.",
  archived: "It leaves the list, and stays behind the filter “with those that are put away”.",
};

const done: Readonly<Record<Step, string>> = {
  ...{ running: "The campaign runs.", ended: "The campaign has ended.", archived: "The campaign is put away." },
};

/** Asks once more before a campaign starts, ends or is put away. */
export function ChangeDialog({
  campaign: { id, name, state, due },
  step,
  verb,
  onDone,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly step: Step;
  readonly verb: string;
  /** Called with the text that says what was done. */
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}) {
  const { attempt, failure, isBusy } = useAttempt();
  const change = async (close: () => void) => {
    const isDone = await attempt(() => send("PATCH", addressOf(`/campaigns/${id}`), { state: step }));
    if (!isDone) return;
    onDone(done[step]);
    close();
    await refreshAll();
  };
  return (
    <Dialog title={`${verb}: ${name}`} onClose={onClose}>
      {(close) => (
        <>
          <p>
            {effects[step]}
            {state === "running" && ` Its date is ${dayOf(due)}.`}
          </p>
          <Trouble failure={failure.value} />
          <p class="row">
            <button type="button" class="button" disabled={isBusy.value} onClick={() => change(close)}>
              {verb}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
