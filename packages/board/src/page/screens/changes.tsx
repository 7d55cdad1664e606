import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { dayOf, isoDay } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { Change, Heat } from "../parts/score.tsx";
import { change, hrefOf, place } from "../place.ts";
import { namesOf } from "./columns.tsx";

type AppChange = Lists["/changes"];

const day = 86_400_000;
const usualDays = 30;

/** Which applications gained and lost since a day, and by what. */
export function ChangesScreen({ env }: { readonly env: string }) {
  const { area, team, since = isoDay(Date.now() - usualDays * day), sort = "change", all } = place.value;
  const upTo = all ? Number.POSITIVE_INFINITY : firstItems;
  // The service begins with what the page shows first, so that a list that is cut off is cut off at the right end.
  const query = { env, area, team, since, sort: sort === "-change" ? "gain" : "loss", limit: firstItems };
  const changes = useReading("/changes", query, { upTo });
  const items = changes?.answer.value?.items;
  const columns = useMemo(() => columnsOf(env, items ?? []), [env, items]);
  return (
    <ListScreen
      title="Changes"
      chips={
        <>
          <label class="chip">
            since{" "}
            <input
              type="date"
              value={since}
              max={isoDay(Date.now())}
              onChange={({ currentTarget }) => change({ since: currentTarget.value || undefined }, { replace: true })}
            />
          </label>
          {[
            { label: "losses first", sort: "change" },
            { label: "gains first", sort: "-change" },
          ].map((one) => (
            <a
              key={one.sort}
              class="chip"
              href={hrefOf({ ...place.value, sort: one.sort })}
              aria-current={sort === one.sort ? "true" : undefined}
            >
              {one.label}
            </a>
          ))}
        </>
      }
      reading={changes}
      nothing="No application has a score"
      env={env}
      before={(items) => items.every(({ change }) => change === null) && <NothingRecorded day={since} />}
      of="application"
      label="Applications"
      columns={columns}
      order="change"
      after={
        <p class="legend">
          A score changes by reports of another result, or by rules: a new version of a scorecard scores the same result
          otherwise.
        </p>
      }
    />
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

function columnsOf(env: string, changes: readonly AppChange[]): readonly Column<AppChange>[] {
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
      show: ({ change }) => <Change by={change} />,
    },
    cause("report", "Reports"),
    cause("rules", "Rules"),
    // Rare, so they take no room before there is one.
    ...(changes.some(({ causes }) => causes?.waiver) ? [cause("waiver", "Waivers")] : []),
    ...(changes.some(({ causes }) => causes?.move) ? [cause("move", "Moves")] : []),
    ...(changes.some(({ causes }) => causes?.other) ? [cause("other", "Other")] : []),
  ];
}
