import type { Campaign } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useOne } from "../data/reading.ts";
import { mayCampaign } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { count, dayOf, percent, plural } from "../format.ts";
import { Heading } from "../parts/heading.tsx";
import { Fact, Facts, None } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { Link } from "../screens/link.tsx";
import { CampaignDays } from "./campaign-days.tsx";
import { CampaignGroups } from "./campaign-groups.tsx";
import { CampaignMembers } from "./campaign-members.tsx";
import { ChangeDialog, type Step } from "./change-dialog.tsx";
import { GoalText } from "./goal-text.tsx";
import { countingOf, scopeText, shareOf } from "./words.ts";

/** How a campaign stands: its line to the date, who is left, and where. */
export function CampaignScreen({ env }: { readonly env: string }) {
  const { campaign: id = "" } = place.value;
  const reading = useOne<Campaign>(`/campaigns/${encodeURIComponent(id)}`);
  return (
    <>
      <Heading trail={[{ name: "Campaigns", to: { view: "campaigns", env } }]}>
        <bdi>{reading?.answer.value?.items[0]?.name ?? "Campaign"}</bdi>
      </Heading>
      <Read reading={reading} hasFigures>
        {({ items: [campaign] }) => campaign && <Whole campaign={campaign} env={env} />}
      </Read>
    </>
  );
}

function Whole({ campaign, env }: { readonly campaign: Campaign; readonly env: string }) {
  const { why, owner, goal, scope, starts, due, state, progress, ended_by } = campaign;
  const share = shareOf(progress);
  const { by } = place.value;
  const views = [
    { name: "Members", by: undefined },
    { name: "By team", by: "team" },
    { name: "By area", by: "area" },
  ];
  const { campaign: id, area, team } = place.value;
  return (
    <>
      <p class="why">
        <bdi>{why.text}</bdi> {why.url !== null && <Link to={why.url} />}
      </p>
      <p class="soft about">
        <span>
          goal: <GoalText of={goal} />
        </span>
        <span>
          for <bdi>{scopeText(scope)}</bdi>
        </span>
        <span>
          {dayOf(starts)} to {dayOf(due)}, <b>{state}</b>
          {ended_by !== null && (
            <>
              {" "}
              by <bdi>{ended_by}</bdi>
            </>
          )}
        </span>
        <span>
          owner <bdi>{owner}</bdi>
        </span>
      </p>
      <Steps campaign={campaign} />
      <Facts>
        <Fact label={`of ${plural(countingOf(progress), "member")} meet the goal`}>
          {share === undefined ? <None /> : percent(share)}
        </Fact>
        <Fact label="left">
          <span class={progress.left > 0 ? "down" : "same"}>{count(progress.left)}</span>
        </Fact>
        {progress.lost > 0 && <Fact label="met once, lost again">{count(progress.lost)}</Fact>}
        {progress.joined > 0 && <Fact label="joined since the start">{count(progress.joined)}</Fact>}
        {progress.waived > 0 && <Fact label="waived, not counted">{count(progress.waived)}</Fact>}
        {progress.exempt > 0 && <Fact label="exempt by policy, not counted">{count(progress.exempt)}</Fact>}
      </Facts>
      <CampaignDays campaign={campaign} />
      <nav class="chips" aria-label="Lists of the campaign">
        {views.map((one) => (
          <a
            key={one.name}
            class="chip choice"
            href={hrefOf({ view: "campaign", env, campaign: id, area, team, by: one.by })}
            aria-current={one.by === by ? "page" : undefined}
          >
            {one.name}
          </a>
        ))}
      </nav>
      {by === "team" || by === "area" ? (
        <CampaignGroups id={campaign.id} by={by} env={env} />
      ) : (
        <CampaignMembers campaign={campaign} env={env} />
      )}
    </>
  );
}

const steps: Readonly<Record<Campaign["state"], readonly Step[]>> = {
  ...{ draft: ["running", "archived"], running: ["ended"], ended: ["archived"], archived: [] },
};

const verbs: Readonly<Record<Step, string>> = {
  ...{ running: "Start it now", ended: "End it now", archived: "Put it away" },
};

/** What the reader may do with a campaign. */
function Steps({ campaign }: { readonly campaign: Campaign }) {
  const step = useSignal<Step>();
  const said = useSignal("");
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that had the focus goes with the state.
    if (said.value && !step.value) status.current?.focus();
  }, [said.value, step.value]);
  const { areas = [], teams = [] } = campaign.scope;
  const targets = [...areas.map((area) => ({ area })), ...teams];
  const isAllowed = (targets.length === 0 ? [{}] : targets).every((target) => mayCampaign(session.value, target));
  return (
    <>
      <p ref={status} tabIndex={-1} role="status">
        {said.value}
      </p>
      {isAllowed && steps[campaign.state].length > 0 && (
        <p class="row steps">
          {steps[campaign.state].map((one) => (
            <button
              key={one}
              type="button"
              onClick={() => {
                said.value = "";
                step.value = one;
              }}
            >
              {verbs[one]}
            </button>
          ))}
        </p>
      )}
      {step.value && (
        <ChangeDialog
          campaign={campaign}
          step={step.value}
          verb={verbs[step.value]}
          onDone={(text) => {
            said.value = text;
          }}
          onClose={() => {
            step.value = undefined;
          }}
        />
      )}
    </>
  );
}
