import type { Lists } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { mayCampaign } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { count, dayOf, percent } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Switch } from "../parts/heading.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { None } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { GoalText } from "./goal-text.tsx";
import { MakeDialog } from "./make-dialog.tsx";
import { countingOf, shareOf, toLineText } from "./words.ts";

type Campaign = Lists["/campaigns"];

const states = ["draft", "running", "ended", "archived"] as const;

/** Two lines in each row: the name of a campaign and what it asks for. */
const [rowHeight, narrowRowHeight] = [58, 104];

/** The campaigns, those that are due first at the top. */
export function CampaignsScreen({ env }: { readonly env: string }) {
  const { area, team, ended, all } = place.value;
  const query = { area, team, limit: firstItems, ...(ended && { state: states }) };
  const campaigns = useReading("/campaigns", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const isNarrow = useNarrow();
  const columns = useMemo(() => columnsOf(env, isNarrow), [env, isNarrow]);
  const isMaking = useSignal(false);
  const isMaker = mayCampaign(session.value);
  return (
    <>
      <ListScreen
        title="Campaigns"
        chips={
          <>
            <Switch name="ended">with those that are put away</Switch>
            {isMaker && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  isMaking.value = true;
                }}
              >
                Make a campaign
              </button>
            )}
          </>
        }
        reading={campaigns}
        nothing="There is no campaign"
        env={undefined}
        of="campaign"
        label="Campaigns, what is due first before the others"
        columns={columns}
        order="due"
        rowHeight={isNarrow ? narrowRowHeight : rowHeight}
        after={
          <p class="legend">
            <span>
              A campaign is a goal for many applications by a date. The progress is the share that meets the goal of
              those that are neither waived nor exempt, and the line is the straight one to the date.
              {!isMaker && (
                <>
                  {" "}
                  <code>maturity campaign create</code> makes one.
                </>
              )}
            </span>
          </p>
        }
      />
      {isMaking.value && (
        <MakeDialog
          env={env}
          onClose={() => {
            isMaking.value = false;
          }}
        />
      )}
    </>
  );
}

/** @param isNarrow whether its last day has no column of its own */
function columnsOf(env: string, isNarrow: boolean): readonly Column<Campaign>[] {
  return [
    {
      id: "name",
      head: "Campaign",
      kind: "name",
      value: ({ name }) => name,
      show: ({ name, goal, due }) => (
        <>
          <bdi>{name}</bdi>
          <small>
            <GoalText of={goal} />
          </small>
          {isNarrow && <small>due {dayOf(due)}</small>}
        </>
      ),
      href: ({ id }) => hrefOf({ view: "campaign", env, campaign: id }),
    },
    { id: "state", head: "State", kind: "word", width: 92, isMinor: true, value: ({ state }) => state },
    {
      id: "due",
      head: "Due",
      kind: "time",
      isMinor: true,
      value: ({ due }) => due,
      show: ({ due, state }) => <Due day={due} isRunning={state === "running"} />,
    },
    {
      id: "progress",
      head: "Progress",
      kind: "shares",
      width: 150,
      value: (campaign) => shareOf(campaign.progress),
      show: ({ progress, line }) => <ProgressBar share={shareOf(progress)} line={line} />,
    },
    {
      id: "line",
      head: "Line",
      title: "How far the progress is from the straight line to the date",
      kind: "number",
      width: 224,
      isMinor: true,
      rank: ({ progress, line }) => (line === null ? undefined : (shareOf(progress) ?? 1) - line),
      value: ({ line }) => line ?? undefined,
      show: ({ progress, line }) => {
        const share = shareOf(progress);
        if (line === null || share === undefined) return <None />;
        const text = toLineText(share, line);
        return <span class={text.endsWith("behind") ? "down" : "same"}>{text}</span>;
      },
    },
    {
      id: "left",
      head: "Left",
      title: "How many do not meet the goal, and have to",
      kind: "number",
      isDown: true,
      value: ({ progress }) => progress.left,
      show: ({ progress }) => (
        <>
          {count(progress.left)}
          <small>of {count(countingOf(progress))}</small>
        </>
      ),
    },
    { id: "owner", head: "Owner", kind: "text", isMinor: true, value: ({ owner }) => owner },
  ];
}

const day = 86_400_000;
const soonDays = 14;

/** The last day of a campaign, and how far away it is. */
function Due({ day: due, isRunning }: { readonly day: string; readonly isRunning: boolean }) {
  const left = Math.round((Date.parse(due) - Date.parse(new Date().toISOString().slice(0, 10))) / day);
  return (
    <>
      <time dateTime={due} class={isRunning && left <= soonDays ? "tag soon" : undefined}>
        {dayOf(due)}
      </time>
      {isRunning && <small>{left === 0 ? "today" : left === 1 ? "in 1 day" : `in ${count(left)} days`}</small>}
    </>
  );
}

/** The share that meets the goal, with where the straight line is. */
export function ProgressBar({ share, line }: { readonly share: number | undefined; readonly line: number | null }) {
  if (share === undefined) return <None />;
  const text = `${percent(share)} meet the goal${line === null ? "" : `, the line is at ${percent(line)}`}`;
  return (
    <span class="share progress" title={text}>
      <span class="bar" aria-hidden="true">
        <i class="fresh" style={{ width: `${share * 100}%` }} />
        {line !== null && <b style={{ left: `${line * 100}%` }} />}
      </span>
      <span class="number">{percent(share)}</span>
      <span class="sr">{text}</span>
    </span>
  );
}
