import type { Lists } from "@maturity/client";
import { noticeable } from "@maturity/core/wire";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { dayOf, isoDay, plural } from "../format.ts";
import { PartNote } from "../parts/bounds.tsx";
import type { Column } from "../parts/column.ts";
import { Elsewhere } from "../parts/elsewhere.tsx";
import { Grid } from "../parts/grid.tsx";
import { Chips, Heading, Switch } from "../parts/heading.tsx";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { Change, Heat } from "../parts/score.tsx";
import { SinceChip } from "../parts/since-chip.tsx";
import { Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "../screens/columns.tsx";
import { CauseTotals } from "./cause-totals.tsx";
import { type Cause, type ChangeTotal, causeTexts } from "./causes.ts";
import { groupColumns } from "./group-columns.tsx";

type AppChange = Lists["/changes"];

const day = 86_400_000;
const usualDays = 30;

/** With the cause below the change. */
const narrowRowHeight = 46;

/** What is folded. Without a score then there is no change, and that is said. */
function isSmall({ change }: AppChange): boolean {
  return change !== null && Math.abs(change) < noticeable;
}

/** Which applications gained and lost since a day, and by what. */
export function ChangesScreen({ env }: { readonly env: string }) {
  const { area, team, since = isoDay(Date.now() - usualDays * day), sort = "change", small, by, all } = place.value;
  const isGrouped = by === "team" || by === "area";
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  const query = { env, area, team, since };
  const totals = useReading("/change-totals", { ...query, by: "organisation" });
  const groups = useReading("/change-totals", isGrouped ? { ...query, by, limit: firstItems } : undefined, { upTo });
  // The service begins with what the page shows first.
  const order = sort === "-change" ? "gain" : "loss";
  const changes = useReading("/changes", isGrouped ? undefined : { ...query, sort: order, limit: firstItems }, {
    upTo,
  });
  const items = changes?.answer.value?.items;
  const isNarrow = useNarrow();
  const columns = useMemo(() => columnsOf(env, items ?? [], isNarrow), [env, items, isNarrow]);
  const rows = useMemo(() => (small ? items : items?.filter((one) => !isSmall(one))) ?? [], [items, small]);
  const total = totals?.answer.value?.items[0];
  const ofGroups = useMemo(
    () => groupColumns(env, isGrouped ? by : "area", total?.moved.map(({ cause }) => cause) ?? []),
    [env, by, total],
  );
  const views = [
    { name: "Applications", by: undefined },
    { name: "By team", by: "team" },
    { name: "By area", by: "area" },
  ];
  return (
    <>
      <Heading>Changes</Heading>
      <PartNote />
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
              class="chip choice"
              href={hrefOf({ ...place.value, sort: one.sort })}
              aria-current={sort === one.sort ? "true" : undefined}
            >
              {one.label}
            </a>
          ))}
        {!isGrouped && <Switch name="small">with those below half a point</Switch>}
      </Chips>
      <Read reading={totals} hasFigures>
        {({ items: [total] }) =>
          total ? (
            <>
              {total.apps === 0 ? <NothingRecorded day={since} /> : <CauseTotals of={total} />}
              {isGrouped ? (
                <Listing
                  reading={groups}
                  nothing="No application has a score"
                  env={env}
                  of={by}
                  label={by === "team" ? "Teams" : "Areas"}
                  columns={ofGroups}
                  order="change"
                />
              ) : (
                <Read reading={changes}>
                  {() => <Changed of={total} rows={rows} columns={columns} isNarrow={isNarrow} />}
                </Read>
              )}
              <p class="legend">
                A score changes by reports of another result, by rules, as when a new version of a scorecard scores the
                same result otherwise, and by waivers, which take a result out of the score until they end.
              </p>
            </>
          ) : (
            <Elsewhere what="No application has a score" env={env} />
          )
        }
      </Read>
    </>
  );
}

/** The applications that changed, with how many are folded. */
function Changed({
  of,
  rows,
  columns,
  isNarrow,
}: {
  readonly of: ChangeTotal;
  readonly rows: readonly AppChange[];
  readonly columns: readonly Column<AppChange>[];
  readonly isNarrow: boolean;
}) {
  const small = of.apps - of.fell - of.rose;
  const isFolded = place.value.small === undefined && small > 0;
  return (
    <>
      <Grid
        of="application"
        label="Applications"
        rows={rows}
        total={of.apps + (of.new ?? 0) - (isFolded ? small : 0)}
        columns={columns}
        order="change"
        given={place.value.sort === "-change" ? "-change" : "change"}
        {...(isNarrow && { rowHeight: narrowRowHeight })}
      />
      {isFolded && (
        <p class="nothing">
          {plural(small, "application")} changed by less than half a point.{" "}
          <a href={hrefOf({ ...place.value, small: "1" })}>Show them too</a>
        </p>
      )}
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
    isMinor: true,
    value: ({ causes }) => causes?.[name],
    show: ({ causes }) => <Change by={causes?.[name]} />,
  });
  return [
    ...namesOf<AppChange>(env),
    {
      id: "since",
      head: "Then",
      kind: "heat",
      isMinor: true,
      value: ({ score_since }) => score_since ?? undefined,
      show: ({ score_since }) => <Heat score={score_since ?? undefined} />,
    },
    {
      id: "score",
      head: "Now",
      kind: "heat",
      value: ({ score }) => score,
      show: ({ score, thin }) => <Heat score={score} isThin={thin} />,
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
