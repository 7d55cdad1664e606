import type { Campaign, CampaignPreview } from "@maturity/client";
import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { addressOf, send, tryOut } from "../data/ask.ts";
import { useAttempt, useFaults } from "../data/attempt.ts";
import { session } from "../data/session.ts";
import { count, isoDay, plural } from "../format.ts";
import { Field } from "../parts/field.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { GoalFields } from "./goal-fields.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { type GoalKind, writtenCampaign } from "./written.ts";

const day = 86_400_000;
const usualDays = 60;

/** The fields that say themselves what is wrong with them. */
const named = /^(?:name|why|owner|goal|scope|starts|due)\b/;

/** Asks for a campaign: first it shows how many members it would have, then it makes it. */
export function MakeForm({
  env,
  onMade,
  onCancel,
}: {
  readonly env: string;
  /** Called with the id of the campaign. */
  readonly onMade: (id: string) => void;
  readonly onCancel: () => void;
}) {
  const kind = useSignal<GoalKind>("metric");
  const preview = useSignal<{ readonly of: string; readonly found: CampaignPreview }>();
  const attempt = useAttempt();
  const { faults, faultOf, form } = useFaults(attempt);

  const written = (of: HTMLFormElement) => writtenCampaign(new FormData(of), kind.value);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = event.currentTarget;
    const body = written(sent);
    const of = JSON.stringify(body);
    const isDone = await attempt.attempt(async () => {
      if (preview.value?.of === of) {
        const made = await send<Campaign>("POST", addressOf("/campaigns"), body);
        if (made) onMade(made.id);
      } else {
        forget();
        const found = await tryOut<CampaignPreview>(addressOf("/campaigns", { dry_run: true }), body);
        if (found && JSON.stringify(written(sent)) === of) preview.value = { of, found };
      }
    });
    if (!isDone) forget();
  };
  // What was shown is of what was written then.
  const forget = () => {
    preview.value = undefined;
  };

  return (
    <form ref={form} onSubmit={submit} onInput={forget} onChange={forget}>
      <Field label="Name" fault={faultOf("name")}>
        {(attributes) => <input {...attributes} name="name" required />}
      </Field>
      <Field label="Why" fault={faultOf("why.text")} hint="A sentence for everybody who has to do something for it.">
        {(attributes) => <textarea {...attributes} name="why" rows={2} required />}
      </Field>
      <Field label="Link to more (may be left empty)" fault={faultOf("why.url")}>
        {(attributes) => <input {...attributes} name="url" type="url" placeholder="https://" />}
      </Field>
      <Field label="Owner" fault={faultOf("owner")} hint="The person or team that answers for it.">
        {(attributes) => <input {...attributes} name="owner" required defaultValue={session.peek()?.name ?? ""} />}
      </Field>
      <GoalFields kind={kind} faultOf={faultOf} />
      <ScopeFields env={env} faultOf={faultOf} onChange={forget} />
      <Field label="Starts on" fault={faultOf("starts")} hint="By UTC. Before that day it is a draft.">
        {(attributes) => <input {...attributes} name="starts" type="date" defaultValue={dayIn(0)} />}
      </Field>
      <Field label="Due on" fault={faultOf("due")} hint="The last day, by UTC.">
        {(attributes) => (
          <input {...attributes} name="due" type="date" required min={dayIn(1)} defaultValue={dayIn(usualDays)} />
        )}
      </Field>
      <p role="status">{preview.value && previewText(preview.value.found)}</p>
      <Trouble failure={faults.some(({ path }) => named.test(path)) ? undefined : attempt.failure.value} />
      <p class="row">
        <button type="submit" class="button" disabled={attempt.isBusy.value}>
          {preview.value ? "Make the campaign" : "See whom it is for"}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function dayIn(days: number): string {
  return isoDay(Date.now() + days * day);
}

function previewText({ progress: { members, met, left, waived, exempt } }: CampaignPreview): string {
  if (members === 0) return "Nobody belongs to it today: no application fits.";
  const others = Object.entries({ waived, exempt }).flatMap(([name, of]) => (of > 0 ? [`${count(of)} ${name}`] : []));
  return `That is ${plural(members, "member")} today: ${[
    `${count(met)} ${met === 1 ? "meets" : "meet"} the goal`,
    `${count(left)} ${left === 1 ? "is" : "are"} left`,
    ...others,
  ].join(", ")}.`;
}
