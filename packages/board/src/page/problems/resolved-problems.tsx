import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { date } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Listing } from "../parts/listing.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { place } from "../place.ts";
import { narrowRowHeight } from "../screens/columns.tsx";
import { problemColumns, shortSpan } from "./columns.tsx";

type Problem = Lists["/problems"];

/** What was open and is resolved, what was resolved last first. */
export function ResolvedProblems({ env }: { readonly env: string }) {
  const { area, team, severity, type, all } = place.value;
  const query = { env, area, team, severity, problem_type: type, resolved: true, sort: "resolved", limit: firstItems };
  const problems = useReading("/problems", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const isNarrow = useNarrow();
  const columns = useMemo(() => [...problemColumns(env, isNarrow), ...timeColumns], [env, isNarrow]);
  return (
    <Listing
      reading={problems}
      nothing="No problem was resolved"
      env={env}
      of="problem"
      label="Resolved problems, the latest first"
      columns={columns}
      order="-resolved"
      {...(isNarrow && { rowHeight: narrowRowHeight })}
    />
  );
}

const timeColumns: readonly Column<Problem>[] = [
  {
    id: "resolved",
    head: "Resolved",
    kind: "time",
    isMinor: true,
    isDown: true,
    value: ({ resolved_at }) => resolved_at ?? undefined,
    show: ({ resolved_at }) => resolved_at && <time dateTime={resolved_at}>{date(resolved_at)}</time>,
  },
  {
    id: "open_seconds",
    head: "Was open",
    title: "From its opening until it was resolved",
    kind: "number",
    isDown: true,
    value: ({ open_seconds }) => open_seconds ?? undefined,
    show: ({ open_seconds }) => open_seconds !== null && shortSpan(open_seconds * 1_000),
  },
];
