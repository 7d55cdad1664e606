import type {
  AnySubmission,
  App,
  Area,
  Client,
  LevelStanding,
  Listing,
  StoredProblem,
  StoredScore,
  Team,
} from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { scoreText, shareText } from "@maturity/command-line/score-text";
import { type Column, numbers } from "@maturity/command-line/table";
import { metricText } from "@maturity/report-files/metric-name";
import { age, differencePaint, differenceText, levelText, problemsText, scoreBar, scorePaint } from "./words.ts";

/** A list of the service, as a table. */
export interface ListTable {
  /** What an item is called, for sentences. */
  readonly noun: string;
  /** The same with `--all`, if that is another word. */
  readonly nounOfAll?: string;
  /** What is said of an empty list, if the noun does not say enough. */
  readonly empty?: string;
  /** The order that shows the worst first, if the service's own order does not. */
  readonly worstFirst?: string;
  /** @param query as the service takes it; it is the judge of what is in it */
  readonly open: (client: Client<AnySubmission>, query: object) => Listing<object>;
  /**
   * @param asOf the time of the reading
   * @param items those to print
   */
  readonly columns: (output: Output, asOf: string, items: readonly object[]) => readonly Column<never>[];
}

type ListName = "app" | "team" | "area" | "score" | "problem";

const names = ["area", "team", "app", "env"] as const;

export function named<Item>(...fields: readonly (keyof Item & string)[]): Column<Item>[] {
  return fields.map((field) => ({ title: field, text: (item) => String(item[field] ?? "-") }));
}

export function scored<Item extends { readonly score: number | null }>(
  output: Output,
  title = "score",
): Column<Item>[] {
  const paint = ({ score }: Item) => scorePaint(score, output);
  return [
    numbers(title, ({ score }) => scoreText(score), { paint }),
    { title: "", text: ({ score }) => (score === null ? "" : scoreBar(score)), isExtra: true, paint },
  ];
}

export function shares<Item extends Pick<App, "reported" | "fresh" | "thin">>(): Column<Item>[] {
  return [
    numbers("reported", ({ reported }) => shareText(reported)),
    { title: "", text: ({ thin }) => (thin ? "thin" : ""), isOptional: true, isMinor: true },
    numbers("fresh", ({ fresh }) => shareText(fresh), { isMinor: true }),
  ];
}

function changed<Item extends Pick<App, "change">>(output: Output): Column<Item> {
  return numbers("change", ({ change }) => (change === undefined ? "" : differenceText(change)), {
    isOptional: true,
    paint: ({ change = 0 }) => differencePaint(change, output),
  });
}

function averaged<Item extends Area | Team>(title: string): Column<Item>[] {
  return [numbers(title, ({ count }) => String(count)), numbers("lowest", ({ lowest }) => scoreText(lowest))];
}

const problems: Column<Pick<App, "problems">> = { title: "problems", text: ({ problems }) => problemsText(problems) };

export const lists: Readonly<Record<ListName, ListTable>> = {
  app: {
    noun: "application",
    open: (client, query) => client.apps(query),
    columns: (output): Column<App>[] => [
      ...named<App>(...names),
      ...[...scored<App>(output), changed<App>(output), ...shares<App>(), problems],
      { title: "level", text: ({ level }) => levelText(level), isOptional: true, isMinor: true },
    ],
  },
  team: {
    noun: "team",
    open: (client, query) => client.teams(query),
    columns: (output): Column<Team>[] => [
      ...named<Team>("area", "team", "env"),
      ...[...scored<Team>(output), changed<Team>(output), ...shares<Team>(), ...averaged<Team>("apps"), problems],
    ],
  },
  area: {
    noun: "area",
    open: (client, query) => client.areas(query),
    columns: (output): Column<Area>[] => [
      ...named<Area>("area", "env"),
      ...[...scored<Area>(output), changed<Area>(output), ...shares<Area>(), ...averaged<Area>("teams"), problems],
    ],
  },
  score: {
    noun: "score",
    worstFirst: "score",
    open: (client, query) => client.scores(query),
    columns: (output, asOf): Column<StoredScore>[] => [
      ...named<StoredScore>(...names),
      { title: "metric", text: metricText },
      ...scored<StoredScore>(output),
      {
        title: "state",
        text: ({ state, waived }) => (waived ? `${state}, waived` : state),
        paint: ({ state }) => statePaint(state, output),
      },
      { title: "age", text: ({ measured_at }) => age(measured_at, asOf) },
    ],
  },
  problem: {
    noun: "open problem",
    nounOfAll: "problem",
    worstFirst: "severity",
    open: (client, query) => client.problems(query),
    columns: (output, asOf): Column<StoredProblem>[] => [
      ...named<StoredProblem>(...names),
      { title: "problem", text: ({ problem_type }) => problem_type },
      { title: "severity", text: ({ severity }) => severity, paint: ({ severity }) => severityPaint(severity, output) },
      { title: "findings", text: ({ count }) => String(count), isNumber: true },
      { title: "open for", text: (problem) => openText(problem, asOf) },
    ],
  },
};

/** The applications with what they lack for a level. */
export const appsWithLacks: ListTable = {
  ...lists.app,
  columns: (output): Column<App>[] => [
    ...[...named<App>(...names), ...scored<App>(output)],
    { title: "level", text: ({ level }) => levelText(level), isOptional: true },
    { title: "lacks for", text: ({ lacks }) => lacks?.level ?? "" },
    numbers("missing", ({ lacks }) => (lacks ? scoreText(lacks.missing) : "")),
    { title: "conditions", text: ({ lacks }) => lacks?.conditions.map(({ text }) => text).join("; ") ?? "" },
  ],
};

/** The levels with how many applications have them. */
export const levelTable: ListTable = {
  noun: "level",
  empty: "the policy has no levels, or no application has a score",
  open: (client, query) => client.levels(query),
  columns: (): Column<LevelStanding>[] => [
    ...named<LevelStanding>("env"),
    { title: "level", text: ({ name }) => name ?? "none" },
    numbers("apps", ({ count }) => String(count)),
    numbers("below", ({ below }) => String(below)),
    { title: "needs", text: ({ conditions }) => conditions.join("; ") },
  ],
};

/** How long a problem has been open, or was until it was resolved. */
function openText({ opened_at, resolved_at, open_seconds }: StoredProblem, asOf: string): string {
  if (opened_at) return age(opened_at, asOf);
  // An older service shows no times of what is resolved.
  if (!resolved_at || open_seconds === null) return "resolved";
  return `${secondsText(open_seconds)}, resolved ${age(resolved_at, asOf)} ago`;
}

/** A span of seconds, as `age` has it. */
export function secondsText(seconds: number): string {
  return age(new Date(0).toISOString(), new Date(seconds * 1_000).toISOString());
}

/** The colour of the state of a score. */
function statePaint(state: string, { colors }: Pick<Output, "colors">): (text: string) => string {
  return state === "stale" ? colors.red : state === "late" ? colors.yellow : String;
}

/** The colour of the severity of a problem. */
export function severityPaint(severity: string, { colors }: Pick<Output, "colors">): (text: string) => string {
  return severity === "critical" || severity === "high" ? colors.red : severity === "medium" ? colors.yellow : String;
}
