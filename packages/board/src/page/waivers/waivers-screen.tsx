import type { Waiver } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { useScorecards } from "../data/scorecards.ts";
import { dayOf, isoDay } from "../format.ts";
import { Switch, Toggles } from "../parts/heading.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { hrefOf, place } from "../place.ts";
import { waiverColumns } from "./waiver-columns.tsx";
import { WaiverViews } from "./waiver-views.tsx";

const states: readonly Waiver["state"][] = ["requested", "approved", "rejected", "withdrawn", "revoked", "expired"];

/** The first day of the next month, in UTC, as days of the service are. */
function nextMonth(): string {
  const now = new Date();
  return isoDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
}

/** Two lines in each row: readers look for the owner and the reason. Where they have no columns, they stand below. */
const [rowHeight, narrowRowHeight] = [58, 132];

/** The waivers, with owner, reason and end: the next to end first. */
export function WaiversScreen({ env }: { readonly env: string }) {
  const { area, team, app, waives, ended, state, ends, all } = place.value;
  const isNarrow = useNarrow();
  // With those that are over the newest come first, so that a list that is cut off has what is of now.
  const rest = state ? { state, sort: "newest" } : ended ? { all: true, sort: "newest" } : {};
  const query = { env, area, team, app, metric: waives, ends_before: ends, limit: firstItems, ...rest };
  const waivers = useReading("/waivers", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const isOfEnvironments = waivers?.answer.value?.items.some((waiver) => waiver.env !== null) ?? false;
  const isOfStates = ended !== undefined || state !== undefined;
  const scorecards = useScorecards();
  const columns = useMemo(
    () => waiverColumns(env, isOfEnvironments, isOfStates, isNarrow, scorecards),
    [env, isOfEnvironments, isOfStates, isNarrow, scorecards],
  );
  return (
    <ListScreen
      title="Waivers"
      views={<WaiverViews env={env} />}
      chips={
        <>
          {state === undefined && <Switch name="ended">with those that are over</Switch>}
          <a
            class="chip choice"
            href={hrefOf({ ...place.value, ends: ends ? undefined : nextMonth() })}
            aria-current={ends ? "true" : undefined}
          >
            {ends && ends !== nextMonth() ? `ending before ${dayOf(ends)}` : "ending this month"}
          </a>
          <Toggles name="state" values={states} />
        </>
      }
      reading={waivers}
      nothing={
        state
          ? `No waiver is ${state}`
          : ended
            ? "Nothing was ever waived"
            : ends
              ? "No waiver ends"
              : "Nothing is waived"
      }
      env={env}
      of="waiver"
      label="Waivers, what ends first before the others"
      columns={columns}
      order="ends"
      given={"sort" in rest ? "-asked" : "ends"}
      rowHeight={isNarrow ? narrowRowHeight : rowHeight}
      after={
        <p class="legend">
          <span>
            What is waived counts neither in the score nor in the share reported, until the waiver ends or is revoked. A
            waiver of an area or a team is one of all its applications. <code>maturity waiver add</code> makes one.
          </span>
        </p>
      }
    />
  );
}
