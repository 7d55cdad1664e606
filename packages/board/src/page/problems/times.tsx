import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { age, count } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Listing } from "../parts/listing.tsx";
import { SeverityTag } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { severities, shortSpan } from "./columns.tsx";

type Times = Lists["/problem-times"];

/** How long problems are open, and were until they were resolved, by area and severity. */
export function Times({ env }: { readonly env: string }) {
  const { area, team, severity, type, all } = place.value;
  const times = useReading(
    "/problem-times",
    { env, area, team, severity, problem_type: type },
    { upTo: all ? Number.POSITIVE_INFINITY : firstItems },
  );
  const columns = useMemo(() => columnsOf({ env, team, type }), [env, team, type]);
  return (
    <Listing
      reading={times}
      nothing="No problem is open or was resolved in 90 days"
      env={env}
      of="group"
      label="Time that problems are open"
      columns={columns}
      order="severity"
      after={
        <p class="legend">
          Half of the problems are open for less than the median, and nine in ten for less than the 90th percentile.
          Resolved are those of the last 90 days.
        </p>
      }
    />
  );
}

function columnsOf(of: Parameters<typeof hrefOf>[0]): readonly Column<Times>[] {
  return [
    {
      id: "area",
      head: "Area",
      kind: "name",
      value: ({ area }) => area ?? undefined,
      href: ({ area, severity }) => hrefOf({ ...of, view: "problems", area: area ?? undefined, severity }),
    },
    {
      id: "severity",
      head: "Severity",
      kind: "heat",
      rank: ({ severity }) => severities.indexOf(severity),
      value: ({ severity }) => severity,
      show: ({ severity }) => <SeverityTag severity={severity} />,
    },
    {
      id: "open",
      head: "Open",
      kind: "number",
      isDown: true,
      value: ({ open }) => open,
      show: ({ open }) => count(open),
    },
    since("median_opened_at", "Median", "Half of the open ones are open for longer", false),
    since("p90_opened_at", "90th", "A tenth of the open ones is open for longer: the 90th percentile", true),
    since("oldest_opened_at", "Oldest", "How long the oldest is open", true),
    {
      id: "resolved",
      head: "Resolved",
      title: "In the last 90 days",
      kind: "number",
      isMinor: true,
      isDown: true,
      value: ({ resolved }) => resolved,
      show: ({ resolved }) => count(resolved),
    },
    took("resolved_median_seconds", "Median took", "How long those that were resolved were open: the median"),
    took("resolved_p90_seconds", "90th took", "How long those that were resolved were open: the 90th percentile"),
  ];
}

function since(
  id: "median_opened_at" | "p90_opened_at" | "oldest_opened_at",
  head: string,
  title: string,
  isMinor: boolean,
): Column<Times> {
  return {
    ...{ id, head, title, kind: "number", isMinor, isDown: true },
    rank: (times) => (times[id] === null ? undefined : -Date.parse(times[id])),
    value: (times) => times[id] ?? undefined,
    show: (times) => times[id] !== null && <time dateTime={times[id]}>{age(times[id], Date.now())}</time>,
  };
}

function took(id: "resolved_median_seconds" | "resolved_p90_seconds", head: string, title: string): Column<Times> {
  return {
    ...{ id, head, title, kind: "number", isMinor: true, isDown: true },
    value: (times) => times[id] ?? undefined,
    show: (times) => times[id] !== null && shortSpan(times[id] * 1_000),
  };
}
