import { useMemo } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { firstItems, useReading } from "../data/reading.ts";
import { age, date } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { Grid } from "../parts/grid.tsx";
import { Chips, Heading, NothingMatches } from "../parts/heading.tsx";
import { type Severity, SeverityTag } from "../parts/score.tsx";
import { Read } from "../parts/states.tsx";
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
    <>
      <Heading>Open problems</Heading>
      <Chips>
        {severities.map((one) => (
          <a
            key={one}
            class="chip"
            href={hrefOf({ ...place.value, severity: one === severity ? undefined : one })}
            aria-current={one === severity ? "true" : undefined}
          >
            {one}
          </a>
        ))}
      </Chips>
      <Read reading={problems}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NothingMatches what="No problem is open" env={env} />
          ) : (
            <Grid label="Problems, the oldest first" rows={items} total={total} columns={columns} order="opened" />
          )
        }
      </Read>
    </>
  );
}

function columnsOf(env: string): readonly Column<Problem>[] {
  const [name, ...above] = namesOf<Problem>(env);
  return [
    ...(name ? [name] : []),
    {
      id: "severity",
      head: "Severity",
      kind: "heat",
      // The gravest first: the letters would mix them.
      value: ({ severity }) => severities.indexOf(severity),
      show: ({ severity }) => <SeverityTag severity={severity} />,
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
      value: ({ opened_at }) => opened_at ?? undefined,
      show: ({ opened_at }) =>
        opened_at && <time title={`since ${date(opened_at)}`}>{age(opened_at, Date.now())}</time>,
    },
  ];
}
