import type { Lists } from "@maturity/client";
import { useMemo } from "preact/hooks";
import { firstItems, useReading } from "../data/reading.ts";
import { age, date } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Toggles } from "../parts/heading.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { type Severity, SeverityTag } from "../parts/score.tsx";
import { hrefOf, place } from "../place.ts";
import { namesOf } from "./columns.tsx";

type Problem = Lists["/problems"];

const severities: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** What is open, the oldest first. */
export function ProblemsScreen({ env }: { readonly env: string }) {
  const { area, team, severity, type, all } = place.value;
  const query = { env, area, team, severity, problem_type: type, sort: "age", limit: firstItems };
  const problems = useReading("/problems", query, { upTo: all ? Number.POSITIVE_INFINITY : firstItems });
  const columns = useMemo(() => columnsOf(env), [env]);
  return (
    <ListScreen
      title="Open problems"
      chips={<Toggles name="severity" values={severities} />}
      reading={problems}
      nothing="No problem is open"
      env={env}
      of="problem"
      label="Problems, the oldest first"
      columns={columns}
      order="-opened"
    />
  );
}

function columnsOf(env: string): readonly Column<Problem>[] {
  const [name, ...above] = namesOf<Problem>(env);
  return [
    name,
    {
      id: "severity",
      head: "Severity",
      kind: "heat",
      // The gravest first: the letters would mix them.
      rank: ({ severity }) => severities.indexOf(severity),
      value: ({ severity }) => severity,
      show: ({ severity, alert }) => (
        <>
          <SeverityTag severity={severity} />
          {alert === "waived" && <span class="tag">waived</span>}
        </>
      ),
    },
    {
      id: "type",
      head: "Problem",
      kind: "text",
      value: ({ problem_type }) => problem_type,
      href: ({ problem_type }) => hrefOf({ ...place.peek(), type: problem_type }),
    },
    { id: "count", head: "Findings", kind: "number", isWide: true, isDown: true, value: ({ count }) => count },
    ...above,
    {
      id: "opened",
      head: "Open",
      title: "For how long it has been open",
      kind: "number",
      isDown: true,
      rank: ({ opened_at }) => (opened_at === null ? undefined : -Date.parse(opened_at)),
      value: ({ opened_at }) => opened_at ?? undefined,
      show: ({ opened_at }) =>
        opened_at && <time title={`since ${date(opened_at)}`}>{age(opened_at, Date.now())}</time>,
    },
  ];
}
