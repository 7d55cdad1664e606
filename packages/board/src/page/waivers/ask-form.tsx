import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { useMemo } from "preact/hooks";
import { addressOf, send } from "../data/ask.ts";
import { useAttempt, useFaults } from "../data/attempt.ts";
import { refreshAll } from "../data/refresh.ts";
import { mayAsk } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { Field } from "../parts/field.tsx";
import { Trouble } from "../parts/trouble.tsx";
import type { AskedFor } from "./asked-for.ts";
import { Covers, choicesOf } from "./covers.tsx";
import { dayIn, Ending } from "./ending.tsx";
import { inOneLine } from "./words.ts";

const usualDays = 30;

const kinds = {
  accepted: "We know it, and live with it for a time",
  not_applicable: "It does not apply: there is nothing to measure",
} as const;

/** The fields that say themselves what is wrong with them. */
const named = ["kind", "reason", "owner", "expires_at", "evidence"];

/** Asks for a waiver. */
export function AskForm({
  of,
  onSent,
  onCancel,
}: {
  readonly of: AskedFor;
  readonly onSent: () => void;
  readonly onCancel: () => void;
}) {
  const choices = useMemo(() => choicesOf(of).filter(({ target }) => mayAsk(session.peek(), target)), [of]);
  const chosen = useSignal(0);
  const kind = useSignal<keyof typeof kinds>("accepted");
  const end = useSignal(dayIn(usualDays));
  const attempt = useAttempt();
  const { faults, faultOf, form } = useFaults(attempt);
  const ofTarget = faults.find(({ path }) => !named.includes(path))?.message;

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, text]) => [name, inOneLine(text)] as const);
    const given = fields.filter(([, text]) => text !== "");
    const body = { ...choices[chosen.value]?.target, ...Object.fromEntries(given) };
    if (!(await attempt.attempt(() => send("POST", addressOf("/waivers"), body)))) return;
    onSent();
    await refreshAll();
  };

  return (
    <form ref={form} onSubmit={submit}>
      <Covers
        choices={choices}
        chosen={chosen.value}
        onChoose={(index) => {
          chosen.value = index;
        }}
        fault={ofTarget}
      />
      <fieldset class="field">
        <legend>Why it should not count</legend>
        {Object.entries(kinds).map(([name, text]) => (
          <label key={name}>
            <input
              type="radio"
              name="kind"
              value={name}
              checked={kind.value === name}
              onChange={() => {
                kind.value = name as keyof typeof kinds;
              }}
            />
            {text}
          </label>
        ))}
        <small class="down">{faultOf("kind")}</small>
      </fieldset>
      <Field label="Reason" fault={faultOf("reason")} hint="Whoever sees the score reads it.">
        {(attributes) => <textarea {...attributes} name="reason" rows={3} required />}
      </Field>
      <Field label="Owner" fault={faultOf("owner")} hint="The person or team that answers for it.">
        {(attributes) => <input {...attributes} name="owner" required defaultValue={session.peek()?.name ?? ""} />}
      </Field>
      <Ending
        value={end.value}
        onChange={(day) => {
          end.value = day;
        }}
        isRequired={kind.value === "accepted"}
        fault={faultOf("expires_at")}
      />
      <Field label="Link to evidence (may be left empty)" fault={faultOf("evidence")}>
        {(attributes) => <input {...attributes} name="evidence" type="url" placeholder="https://" />}
      </Field>
      <Trouble failure={faults.length > 0 ? undefined : attempt.failure.value} />
      <p class="row">
        <button type="submit" class="button" disabled={attempt.isBusy.value}>
          Send the request
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}
