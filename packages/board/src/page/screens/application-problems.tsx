import type { Lists } from "../data/lists.ts";
import { useReading } from "../data/reading.ts";
import { date, plural } from "../format.ts";
import { SeverityTag } from "../parts/score.tsx";

const shownFindings = 20;

/** The open problems of an application, with the places they were found in. */
export function AppProblems({ app: { area, team, app, env } }: { readonly app: Lists["/apps"] }) {
  const problems = useReading("/problems", { area, team, app, env, detail: true, sort: "severity" })?.answer.value;
  if (!problems) return null;
  return (
    <section class="card" aria-labelledby="problems">
      <h2 id="problems">Open problems</h2>
      {problems.items.length === 0 && <p class="soft">None.</p>}
      <ul>
        {problems.items.map((problem) => (
          <li key={problem.problem_type}>
            <SeverityTag severity={problem.severity} /> <b dir="auto">{problem.problem_type}</b>
            <small>
              {plural(problem.count, "finding")}
              {problem.opened_at && `, open since ${date(problem.opened_at)}`}
            </small>
            <Findings details={problem.details ?? []} />
          </li>
        ))}
      </ul>
      {problems.total > problems.items.length && (
        <p class="soft">
          The first {problems.items.length} of {problems.total}.
        </p>
      )}
    </section>
  );
}

function Findings({ details }: { readonly details: NonNullable<Lists["/problems"]["details"]> }) {
  return (
    <ol class="findings">
      {details.slice(0, shownFindings).map(({ file, line, description }, index) => (
        <li key={index}>
          <code dir="auto">
            {file}
            {line !== undefined && `:${line}`}
          </code>{" "}
          <span dir="auto">{description}</span>
        </li>
      ))}
      {details.length > shownFindings && (
        <li class="soft">and {plural(details.length - shownFindings, "more", "more")}</li>
      )}
    </ol>
  );
}
