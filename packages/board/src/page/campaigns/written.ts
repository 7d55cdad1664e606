import { inOneLine } from "../waivers/words.ts";

/** Which kind of goal the form asks for. */
export const goalKinds = {
  metric: "a metric reaches a score",
  scorecard: "a scorecard reaches a score",
  level: "the application has a level",
  no_open_problems: "no problem is open",
} as const;

export type GoalKind = keyof typeof goalKinds;

/** The body of POST /campaigns, of the fields of its form as they are written. What is left empty is left out. */
export function writtenCampaign(form: FormData, kind: GoalKind): object {
  const text = (name: string) => inOneLine(form.get(name)) || undefined;
  const all = (name: string) => form.getAll(name).map(inOneLine);
  const list = (name: string) => {
    const values = (text(name) ?? "").split(",").map((value) => value.trim());
    return values.filter((value) => value !== "");
  };
  const min = text("min");
  const reached = min !== undefined && { min: Number(min) };
  const goals: Readonly<Record<GoalKind, object>> = {
    metric: { metric: text("metric"), ...reached },
    scorecard: { scorecard: text("scorecard"), ...reached },
    level: { level: text("level") },
    no_open_problems: { no_open_problems: all("severity"), problem_type: text("problem_type") },
  };
  return {
    ...{ name: text("name"), why: { text: text("why"), url: text("url") }, owner: text("owner") },
    ...{ goal: goals[kind], starts: text("starts"), due: text("due") },
    scope: {
      ...given("areas", all("area")),
      ...given(
        "teams",
        form.getAll("team").map((team) => JSON.parse(String(team))),
      ),
      ...given("tier", list("tier")),
      ...given("env", all("env")),
      ...labelsOf(list("labels")),
    },
  };
}

function given(name: string, values: readonly unknown[]): object {
  return values.length > 0 ? { [name]: values } : {};
}

/** Labels as they are written, such as `kind=service`; several of one name mean any of them. */
function labelsOf(pairs: readonly string[]): object {
  if (pairs.length === 0) return {};
  const labels = Map.groupBy(pairs, (pair) => pair.split("=")[0]?.trim() ?? "");
  const valuesOf = (own: readonly string[]) => own.map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  return { labels: Object.fromEntries([...labels].map(([name, own]) => [name, valuesOf(own)])) };
}
