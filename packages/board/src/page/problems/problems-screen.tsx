import { useReading } from "../data/reading.ts";
import { Chips, Heading, Toggles } from "../parts/heading.tsx";
import { hrefOf, place } from "../place.ts";
import { severities } from "./columns.tsx";
import { OpenProblems } from "./open-problems.tsx";
import { ResolvedProblems } from "./resolved-problems.tsx";
import { Times } from "./times.tsx";
import { Weeks } from "./weeks.tsx";

/** What stands in the address for each list. */
const lists = { resolved: ResolvedProblems, time: Times, week: Weeks } as const;

const titles = { resolved: "Resolved problems", time: "Time open", week: "Problems by week" } as const;

/** What is open and since when, what was resolved, how long that takes, and what comes and goes each week. */
export function ProblemsScreen({ env }: { readonly env: string }) {
  const { area, team, type, by } = place.value;
  const list = by === "resolved" || by === "time" || by === "week" ? by : undefined;
  const query = { env, area, team, problem_type: type, by: "severity" };
  const times = useReading("/problem-times", query)?.answer.value?.items;
  const counts = new Map(severities.map((severity) => [severity as string, 0]));
  for (const { severity, open } of times ?? []) counts.set(severity, open);
  const List = list === undefined ? OpenProblems : lists[list];
  return (
    <>
      <Heading>{list === undefined ? "Open problems" : titles[list]}</Heading>
      <Views env={env} />
      <Chips>
        <Toggles name="severity" values={severities} {...(times && list === undefined && { of: counts })} />
      </Chips>
      <List env={env} />
    </>
  );
}

function Views({ env }: { readonly env: string }) {
  const { area, team, type, severity, by } = place.value;
  const views = [
    { name: "Open", by: undefined },
    { name: "Resolved", by: "resolved" },
    { name: "Time open", by: "time" },
    { name: "By week", by: "week" },
  ];
  return (
    <nav class="chips" aria-label="Lists of problems">
      {views.map((view) => (
        <a
          key={view.name}
          class="chip choice"
          href={hrefOf({ view: "problems", env, area, team, type, severity, by: view.by })}
          aria-current={view.by === by ? "page" : undefined}
        >
          {view.name}
        </a>
      ))}
    </nav>
  );
}
