import type { Query } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { Toggles } from "../parts/heading.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { SinceChip } from "../parts/since-chip.tsx";
import { place } from "../place.ts";
import { happenedColumns } from "./columns.tsx";

type Kind = NonNullable<Query<"/audit">["kind"]>;

/** What can be chosen, as it reads, with the kinds of the service that it means. */
const kinds: Readonly<Record<string, { readonly text: string; readonly of: Kind }>> = {
  registered: { text: "Registrations", of: "registration" },
  moved: { text: "Moved or retired", of: ["move", "retirement"] },
  waivers: { text: "Waivers", of: "waiver" },
  rules: { text: "Rules", of: ["policy", "replay"] },
  campaigns: { text: "Campaigns", of: "campaign" },
  badges: { text: "Badges", of: "badge" },
};

/** Two lines of what was done; on a narrow page six of them, and the actor below. */
const [rowHeight, narrowRowHeight] = [44, 126];

/** What was changed other than by reports, and by whom, the newest first. */
export function HappenedScreen({ env }: { readonly env: string }) {
  const { area, team, app, who, since, kind = "", all } = place.value;
  const isNarrow = useNarrow();
  const query = { area, team, app, actor: who, since, kind: kinds[kind]?.of, limit: firstItems };
  const happened = useReading("/audit", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const columns = useMemo(() => happenedColumns(env, isNarrow), [env, isNarrow]);
  return (
    <ListScreen
      title="What happened"
      chips={
        <>
          <Toggles name="kind" values={Object.keys(kinds)} say={(one) => kinds[one]?.text ?? one} />
          <SinceChip />
        </>
      }
      reading={happened}
      nothing="Nothing was changed but by reports"
      env={undefined}
      of="change"
      label="What happened, the newest first"
      columns={columns}
      order="-when"
      rowHeight={isNarrow ? narrowRowHeight : rowHeight}
      after={
        <p class="legend">
          <span>
            What changes scores, levels and names other than reports, in all environments. Rules concern everybody, so
            they stand here whatever the area.
          </span>
        </p>
      }
    />
  );
}
