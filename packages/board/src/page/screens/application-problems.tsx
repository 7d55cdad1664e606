import type { Lists } from "@maturity/client";
import { type Asked, type Reading, useReading } from "../data/reading.ts";
import { date, plural } from "../format.ts";
import { SeverityTag } from "../parts/score.tsx";
import { AskButton } from "../waivers/ask-button.tsx";
import type { AskedFor } from "../waivers/asked-for.ts";

const shownFindings = 20;

type Problem = Lists["/problems"];

/** The open problems of an application, the gravest first. */
export function useAppProblems(key: Asked<"/problems">): Reading<Problem> | undefined {
  return useReading("/problems", { ...key, detail: true, sort: "severity" });
}

/** The open problems of an application, with the places they were found in. */
export function AppProblems({ reading }: { readonly reading: Reading<Problem> | undefined }) {
  const problems = reading?.answer.value;
  if (!problems) return null;
  return (
    <section class="card" aria-labelledby="problems">
      <h2 id="problems">Open problems</h2>
      {problems.items.length === 0 && <p class="soft">None.</p>}
      <ul>
        {problems.items.map((problem) => (
          <li key={problem.problem_type}>
            <SeverityTag severity={problem.severity} /> <b dir="auto">{problem.problem_type}</b>
            {problem.alert === "waived" && <span class="tag">waived</span>}
            <small>
              {plural(problem.count, "finding")}
              {problem.opened_at && `, open since ${date(problem.opened_at)}`}
            </small>
            <Findings details={problem.details ?? []} />
            {problem.alert !== "waived" && <AskButton of={askedFor(problem)} about={problem.problem_type} />}
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

function askedFor({ area, team, app, env, problem_type }: Problem): AskedFor {
  return { area, team, app, env, problem_type };
}

function Findings({ details }: { readonly details: NonNullable<Problem["details"]> }) {
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
