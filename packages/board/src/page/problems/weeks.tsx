import type { Lists } from "@maturity/client";
import { useReading } from "../data/reading.ts";
import { count, dayOf } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Listing } from "../parts/listing.tsx";
import { place } from "../place.ts";

type Week = Lists["/problem-weeks"];

/** How many problems were opened and resolved each week, and how many were open at its end. */
export function Weeks({ env }: { readonly env: string }) {
  const { area, team, severity, type } = place.value;
  const weeks = useReading("/problem-weeks", { env, area, team, severity, problem_type: type });
  return (
    <Listing
      reading={weeks}
      nothing="No problem was open in twelve weeks"
      isEmpty={(weeks) => weeks.every(({ opened, resolved, open }) => opened + resolved + open === 0)}
      env={env}
      of="week"
      label="Problems by week, the latest first"
      columns={columns}
      order="-week"
    />
  );
}

const columns: readonly Column<Week>[] = [
  {
    id: "week",
    head: "Week from",
    title: "Its Monday, in UTC",
    kind: "time",
    isDown: true,
    value: ({ week }) => week,
    show: ({ week }) => <time dateTime={week}>{dayOf(week)}</time>,
  },
  counts("opened", "Opened"),
  counts("resolved", "Resolved"),
  counts("open", "Open at its end"),
];

function counts(id: "opened" | "resolved" | "open", head: string): Column<Week> {
  return { id, head, kind: "number", isDown: true, value: (week) => week[id], show: (week) => count(week[id]) };
}
