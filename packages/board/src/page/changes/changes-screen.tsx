import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { dayOf, isoDay, plural } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Grid } from "../parts/grid.tsx";
import { Chips, Heading, NothingMatches, Switch } from "../parts/heading.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { Change, Heat } from "../parts/score.tsx";
import { SinceChip } from "../parts/since-chip.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "../screens/columns.tsx";
import { CauseTotals } from "./cause-totals.tsx";
import { groupColumns } from "./group-columns.tsx";
import { type Cause, causeTexts, groupsOf, smallChange, totalsOf } from "./totals.ts";

type AppChange = Lists["/changes"];

const day = 86_400_000;
const usualDays = 30;

/** With the cause below the change. */
const narrowRowHeight = 46;

/** What is folded. Without a score then there is no change, and that is said. */
function isSmall({ change }: AppChange): boolean {
  return change !== null && Math.abs(change) < smallChange;
}

/** Which applications gained and lost since a day, and by what. */
export function ChangesScreen({ env }: { readonly env: string }) {
  const { area, team, since = isoDay(Date.now() - usualDays * day), sort = "change", small, by } = place.value;
  const isGrouped = by === "team" || by === "area";
  // The service begins with what the page shows first.
  const query = { env, area, team, since, sort: sort === "-change" ? "gain" : "loss", limit: firstItems };
  // The totals, and the mean of a group, are of all applications.
  const changes = useReading("/changes", query, { upTo: Number.POSITIVE_INFINITY });
  const items = changes?.answer.value?.items;
  const isNarrow = useNarrow();
  const columns = useMemo(() => columnsOf(env, items ?? [], isNarrow), [env, items, isNarrow]);
  const rows = useMemo(() => (small ? items : items?.filter((one) => !isSmall(one))) ?? [], [items, small]);
  const folded = (items?.length ?? 0) - rows.length;
  const totals = useMemo(() => totalsOf(items ?? []), [items]);
  const groups = useMemo(() => (isGrouped ? groupsOf(items ?? [], by) : []), [items, by]);
  const ofGroups = useMemo(
    () =>
      groupColumns(
        env,
        isGrouped ? by : "area",
        totals.map(({ cause }) => cause),
      ),
    [env, by, totals],
  );
  const views = [
    { name: "Applications", by: undefined },
    { name: "By team", by: "team" },
    { name: "By area", by: "area" },
  ];
  return (
    <>
      <Heading>Changes</Heading>
      <nav class="chips" aria-label="Changes of what">
        {views.map((one) => (
          <a
            key={one.name}
            class="chip choice"
            href={hrefOf({ view: "changes", env, area, team, since: place.value.since, by: one.by })}
            aria-current={one.by === by ? "page" : undefined}
          >
            {one.name}
          </a>
        ))}
      </nav>
      <Chips>
        <SinceChip usual={since} />
        {[
          { label: "losses first", sort: "change" },
          { label: "gains first", sort: "-change" },
        ]
          .filter(() => !isGrouped)
          .map((one) => (
            <a
              key={one.sort}
              class="chip"
              href={hrefOf({ ...place.value, sort: one.sort })}
              aria-current={sort === one.sort ? "true" : undefined}
            >
              {one.label}
            </a>
          ))}
        {!isGrouped && <Switch name="small">with those below half a point</Switch>}
      </Chips>
      <Read reading={changes} hasFigures>
        {({ items, total }) =>
          items.length === 0 ? (
            <NothingMatches what="No application has a score" env={env} />
          ) : (
            <>
              {items.every(({ change }) => change === null) && <NothingRecorded day={since} />}
              <CauseTotals changes={items} totals={totals} total={total} />
              {isGrouped ? (
                <Grid
                  of={by}
                  label={by === "team" ? "Teams" : "Areas"}
                  rows={groups}
                  total={groups.length}
                  columns={ofGroups}
                  order="change"
                />
              ) : (
                <Grid
                  of="application"
                  label="Applications"
                  rows={rows}
                  total={total - folded}
                  columns={columns}
                  order="change"
                  {...(isNarrow && { rowHeight: narrowRowHeight })}
                />
              )}
              {!isGrouped && folded > 0 && (
                <p class="nothing">
                  {plural(folded, "application")} changed by less than half a point.{" "}
                  <a href={hrefOf({ ...place.value, small: "1" })}>Show them too</a>
                </p>
              )}
              <p class="legend">
                A score changes by reports of another result, by rules, as when a new version of a scorecard scores the
                same result otherwise, and by waivers, which take a result out of the score until they end.
              </p>
            </>
          )
        }
      </Read>
    </>
  );
}

/** Before the first day that the service recorded there is nothing to compare with. */
function NothingRecorded({ day }: { readonly day: string }) {
  return (
    <p role="status">
      No score of {dayOf(day)} was recorded, so there is nothing to compare with. Choose a later day: the service
      records the scores of each day.
    </p>
  );
}

function columnsOf(env: string, changes: readonly AppChange[], isNarrow: boolean): readonly Column<AppChange>[] {
  const cause = (name: keyof NonNullable<AppChange["causes"]>, head: string): Column<AppChange> => ({
    id: name,
    head,
    kind: "change",
    isWide: true,
    value: ({ causes }) => causes?.[name],
    show: ({ causes }) => <Change by={causes?.[name]} />,
  });
  return [
    ...namesOf<AppChange>(env),
    {
      id: "since",
      head: "Then",
      kind: "heat",
      isWide: true,
      value: ({ score_since }) => score_since ?? undefined,
      show: ({ score_since }) => <Heat score={score_since ?? undefined} />,
    },
    {
      id: "score",
      head: "Now",
      kind: "heat",
      value: ({ score }) => score,
      show: ({ score }) => <Heat score={score} />,
    },
    {
      id: "change",
      head: "Change",
      kind: "change",
      value: ({ change }) => change ?? undefined,
      show: ({ change, causes }) => (
        <>
          <Change by={change} />
          {isNarrow && causes && <small>{mainCause(causes)}</small>}
        </>
      ),
    },
    cause("report", "Reports"),
    cause("rules", "Rules"),
    // Rare, so they take no room before there is one.
    ...(changes.some(({ causes }) => causes?.waiver) ? [cause("waiver", "Waivers")] : []),
    ...(changes.some(({ causes }) => causes?.policy) ? [cause("policy", "Policy")] : []),
    ...(changes.some(({ causes }) => causes?.move) ? [cause("move", "Moves")] : []),
    ...(changes.some(({ causes }) => causes?.other) ? [cause("other", "Other")] : []),
  ];
}

/** Where the causes have no columns: the one that moved most. */
function mainCause(causes: NonNullable<AppChange["causes"]>): string {
  const [[name, points] = ["", 0]] = Object.entries(causes).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  return Math.abs(points) < 0.05 ? "" : causeTexts[name as Cause].toLowerCase();
}
