import type { Campaign, CampaignMember } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { dayOf } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { Chips, Toggles } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { Change, None } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "../screens/columns.tsx";
import { valueText } from "./words.ts";

const stateTexts: Readonly<Record<CampaignMember["state"], string>> = {
  ...{ left: "never met", lost: "met once, lost again", met: "met", waived: "waived", exempt: "exempt" },
};

/** Two lines in each row: what to fix, and what that brings. */
const [rowHeight, narrowRowHeight] = [58, 104];

/** The members of a campaign: those that are left, the worst first, unless others are asked for. */
export function CampaignMembers({
  campaign: { id, goal, progress },
  env,
}: {
  readonly campaign: Campaign;
  readonly env: string;
}) {
  const { area, team, state, all } = place.value;
  const query = { area, team, ...(state ? { state } : { met: false }), limit: firstItems };
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const members = useReading("/campaigns/{id}/members", query, { of: id, upTo });
  const isAboutProblems = "no_open_problems" in goal;
  const isNarrow = useNarrow();
  const columns = useMemo(() => columnsOf(env, isAboutProblems, isNarrow), [env, isAboutProblems, isNarrow]);
  const { left, lost, met, waived, exempt } = progress;
  const counts = new Map(Object.entries({ left: left - lost, lost, met, waived, exempt }));
  const isNarrowed = area !== undefined || team !== undefined;
  return (
    <>
      <Chips>
        <Toggles
          name="state"
          values={Object.keys(stateTexts)}
          say={(value) => stateTexts[value as CampaignMember["state"]]}
          {...(!isNarrowed && { of: counts })}
        />
      </Chips>
      <Listing
        reading={members}
        nothing={state ? "No member is in this state" : "Nobody is left: all that have to meet the goal do"}
        env={undefined}
        of="member"
        label={state ? `Members: ${stateTexts[state as CampaignMember["state"]]}` : "Left, the worst first"}
        columns={columns}
        order="rank"
        rowHeight={isNarrow ? narrowRowHeight : rowHeight}
      />
    </>
  );
}

function columnsOf(env: string, isAboutProblems: boolean, isNarrow: boolean): readonly Column<CampaignMember>[] {
  const [name, ...above] = namesOf<CampaignMember>(env);
  const hrefOfApp = ({ area, team, app, env: own }: CampaignMember) => hrefOf({ env: own ?? env, area, team, app });
  return [
    {
      ...name,
      show: ({ app, env }) => (
        <>
          <bdi>{breakable(app)}</bdi>
          {env === null ? (
            <small>never reported</small>
          ) : (
            isNarrow && (
              <small>
                <bdi>{env}</bdi>
              </small>
            )
          )}
        </>
      ),
      href: hrefOfApp,
    },
    {
      id: "env",
      head: "Env",
      kind: "word",
      isMinor: true,
      value: ({ env }) => env ?? undefined,
      show: ({ env }) => env ?? <None />,
    },
    ...above,
    {
      id: "value",
      head: "Has",
      title: isAboutProblems ? "Open problems" : "What the goal is about",
      kind: "number",
      width: 96,
      value: ({ value }) => value ?? undefined,
      show: ({ value, target }) => (
        <>
          {value === null ? <None /> : <bdi>{valueText(value, target)}</bdi>}
          <small>
            {isAboutProblems ? (
              "open"
            ) : (
              <>
                of <bdi>{target}</bdi>
              </>
            )}
          </small>
        </>
      ),
    },
    {
      id: "step",
      head: "Fix first",
      title: "The step that brings it nearest to the goal, with the points that its score gains",
      kind: "text",
      ...(!isNarrow && { width: 182 }),
      value: ({ step }) => (step ? `${step.scorecard}.${step.metric}` : undefined),
      show: ({ step, state }) =>
        step ? (
          <>
            <bdi class={isNarrow ? "lines" : undefined} title={`${step.scorecard}.${step.metric}`}>
              {step.title}
            </bdi>
            <small>
              {isNarrow && step.gain !== null && <Change by={step.gain} />}
              {step.gain === null
                ? "never reported"
                : !isNarrow && <bdi>{breakable(`${step.scorecard}.${step.metric}`)}</bdi>}
            </small>
          </>
        ) : isAboutProblems && (state === "left" || state === "lost") ? (
          "resolve its problems"
        ) : (
          <None />
        ),
      href: hrefOfApp,
    },
    {
      id: "gain",
      head: "Gains",
      kind: "change",
      isMinor: true,
      isDown: true,
      value: ({ step }) => step?.gain ?? undefined,
      show: ({ step }) => <Change by={step?.gain} />,
    },
    {
      id: "state",
      head: "State",
      kind: "text",
      width: 172,
      isMinor: true,
      value: ({ state }) => stateTexts[state],
      show: ({ state, joined, met_on }) => (
        <>
          {stateTexts[state]}
          <small>
            {state === "lost" && met_on !== null
              ? `met on ${dayOf(met_on)}`
              : joined !== null && `joined ${dayOf(joined)}`}
          </small>
        </>
      ),
    },
    {
      id: "owner",
      head: "Owner",
      kind: "text",
      isMinor: true,
      value: ({ owner }) => owner ?? undefined,
    },
  ];
}
