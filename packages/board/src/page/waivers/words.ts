import { type Titled, titleOf } from "../data/scorecards.ts";
import type { AskedFor } from "./asked-for.ts";

type Names = { readonly [Name in keyof AskedFor]?: string | null | undefined };

/** What is waived: a kind of problem, a metric, or a whole scorecard by its title. */
export function subjectText({ scorecard, metric, problem_type }: Names, scorecards: readonly Titled[]): string {
  return problem_type ?? (metric ? `${scorecard}.${metric}` : titleOf(scorecards, scorecard));
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
