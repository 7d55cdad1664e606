import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { age, date } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { place } from "../place.ts";
import { narrowRowHeight } from "../screens/columns.tsx";
import { problemColumns } from "./columns.tsx";

type Problem = Lists["/problems"];

/** What is open, the oldest first. */
export function OpenProblems({ env }: { readonly env: string }) {
  const { area, team, severity, type, all } = place.value;
  const query = { env, area, team, severity, problem_type: type, sort: "age", limit: firstItems };
  const problems = useReading("/problems", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const isNarrow = useNarrow();
  const columns = useMemo(() => columnsOf(env, isNarrow), [env, isNarrow]);
  return (
    <Listing
      reading={problems}
      nothing="No problem is open"
      env={env}
      of="problem"
      label="Problems, the oldest first"
      columns={columns}
      order="-opened"
      {...(isNarrow && { rowHeight: narrowRowHeight })}
    />
  );
}

function columnsOf(env: string, isNarrow: boolean): readonly Column<Problem>[] {
  return [
    ...problemColumns(env, isNarrow),
    { id: "count", head: "Findings", kind: "number", isMinor: true, isDown: true, value: ({ count }) => count },
    {
      id: "opened",
      head: "Open",
      title: "For how long it has been open",
      kind: "number",
      isDown: true,
      rank: ({ opened_at }) => (opened_at === null ? undefined : -Date.parse(opened_at)),
      value: ({ opened_at }) => opened_at ?? undefined,
      show: ({ opened_at, alert }) => (
        <>
          {opened_at && <time title={`since ${date(opened_at)}`}>{age(opened_at, Date.now())}</time>}
          {isNarrow && alert === "waived" && <small>waived</small>}
        </>
      ),
    },
  ];
}
