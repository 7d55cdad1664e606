import type { CampaignGroup } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { count } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Chips } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { hrefOf, place } from "../place.ts";
import { ProgressBar } from "./campaigns-screen.tsx";
import { shareOf } from "./words.ts";

/** The progress of a campaign by team or area, the lowest share first. */
export function CampaignGroups({
  id,
  by,
  env,
}: {
  readonly id: string;
  readonly by: "team" | "area";
  readonly env: string;
}) {
  const { area, team, all } = place.value;
  const groups = useReading(
    "/campaigns/{id}/groups",
    { by, area, team, limit: firstItems },
    { of: id, upTo: all ? Number.POSITIVE_INFINITY : firstItems },
  );
  const columns = useMemo(() => columnsOf(by, env, id), [by, env, id]);
  return (
    <>
      <Chips />
      <Listing
        reading={groups}
        nothing="No member"
        env={undefined}
        of={by}
        label={`By ${by}, the lowest share first`}
        columns={columns}
        order="share"
      />
    </>
  );
}

function columnsOf(by: "team" | "area", env: string, id: string): readonly Column<CampaignGroup>[] {
  const counts = (field: "left" | "lost" | "met" | "waived" | "exempt" | "joined", head: string, isMinor = true) =>
    ({
      ...{ id: field, head, kind: "number", isMinor, isDown: true },
      value: (group) => group[field],
      show: (group) => <span class={group[field] > 0 ? undefined : "same"}>{count(group[field])}</span>,
    }) satisfies Column<CampaignGroup>;
  return [
    {
      id: "name",
      head: by === "team" ? "Team" : "Area",
      kind: "name",
      value: ({ area, team }) => team ?? area,
      href: ({ area, team }) => hrefOf({ view: "campaign", env, campaign: id, area, team }),
    },
    ...(by === "team"
      ? [
          {
            id: "area",
            head: "Area",
            kind: "text",
            isMinor: true,
            value: ({ area }) => area,
          } satisfies Column<CampaignGroup>,
        ]
      : []),
    {
      id: "share",
      head: "Progress",
      kind: "shares",
      width: 150,
      value: (group) => shareOf(group) ?? 1,
      show: (group) => <ProgressBar share={shareOf(group)} line={null} />,
    },
    counts("left", "Left", false),
    counts("met", "Met"),
    counts("lost", "Lost again"),
    counts("joined", "Joined"),
    counts("waived", "Waived"),
    counts("exempt", "Exempt"),
  ];
}
