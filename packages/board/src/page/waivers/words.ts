import type { Scorecard } from "@maturity/client";
import { metricTitle, titleOf } from "../data/scorecards.ts";
import type { AskedFor } from "./asked-for.ts";

type Names = { readonly [Name in keyof AskedFor]?: string | null | undefined };

/** What is waived: a kind of problem, a metric by its title and its name, or a whole scorecard by its title. */
export function subjectText({ scorecard, metric, problem_type }: Names, scorecards: readonly Scorecard[]): string {
  if (problem_type) return problem_type;
  if (!scorecard || !metric) return titleOf(scorecards, scorecard);
  return `${metricTitle(scorecards, scorecard, metric)} (${scorecard}.${metric})`;
}

/** Of which area, team or application. */
export function targetText({ area, team, app, env }: Names): string {
  return [area, team, app].filter(Boolean).join(" / ") + (env ? `, only in ${env}` : "");
}

/** A text of a form as the service takes it: in one line, without white space at its ends. */
export function inOneLine(text: FormDataEntryValue | null): string {
  return String(text ?? "")
    .replace(/\s+/g, " ")
    .trim();
}
