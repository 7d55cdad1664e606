import type { AppChange, ChangeTotal, DailyRollUp, HistoryQuery, ScoreChange } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { scoreText, shareText } from "@maturity/command-line/score-text";
import { type Column, numbers } from "@maturity/command-line/table";
import { type ListTable, named, scored } from "./lists.ts";
import { differencePaint, differenceText } from "./words.ts";

/** The daily roll-ups of an application, a team, an area or the organisation. */
export const dailyRollUps: ListTable = {
  noun: "day",
  empty:
    "no days are recorded: roll-ups are written at midnight in UTC, from the first one on that the service runs with history",
  open: (client, query) => client.history(query as HistoryQuery),
  columns: (output): Column<DailyRollUp>[] => [
    { title: "day", text: ({ at }) => at.slice(0, 10) },
    ...scored<DailyRollUp>(output),
    numbers("reported", ({ reported }) => shareText(reported)),
    numbers("fresh", ({ fresh }) => (fresh === null ? "-" : shareText(fresh))),
    numbers("waived", ({ waived }) => (waived ? shareText(waived) : ""), { isOptional: true }),
    numbers("of", ({ count }) => String(count ?? ""), { isOptional: true }),
    numbers("lowest", ({ lowest }) => (lowest === undefined ? "" : scoreText(lowest)), { isOptional: true }),
  ],
};

/** The changes of the score of a metric. */
export const scoreChanges: ListTable = {
  noun: "change",
  empty: "no change is recorded",
  open: (client, query) => client.history(query as HistoryQuery & { readonly metric: string }),
  columns: (output): Column<ScoreChange>[] => [
    { title: "at", text: ({ at }) => `${at.slice(0, 10)} ${at.slice(11, 16)}` },
    numbers("before", ({ former }) => scoreText(former)),
    ...scored<ScoreChange>(output),
    { title: "cause", text: ({ cause }) => cause },
    { title: "scorer", text: ({ scorer }) => scorer },
  ],
};

/** What the score of each application lost or gained, and why. */
export const changedApps: ListTable = {
  noun: "application",
  open: (client, query) => client.changes(query),
  columns: (output): Column<AppChange>[] => [
    ...named<AppChange>("area", "team", "app", "env"),
    numbers("then", ({ score_since }) => scoreText(score_since)),
    ...scored<AppChange>(output, "now"),
    ...changed<AppChange>(output, ({ moved_by }) => moved_by),
  ],
};

/** The same of all applications of an area, a team or the organisation. */
export const changeTotals: ListTable = {
  noun: "group",
  open: (client, query) => client.changeTotals(query),
  columns: (output): Column<ChangeTotal>[] => [
    ...named<ChangeTotal>("area", "team", "env"),
    ...(["apps", "fell", "rose"] as const).map((one) => numbers<ChangeTotal>(one, (total) => String(total[one]))),
    ...changed<ChangeTotal>(output, ({ moved_by }) => moved_by.map(({ name, apps }) => `${name} (${apps})`)),
  ],
};

function changed<Item extends Pick<AppChange, "change" | "causes">>(
  output: Output,
  movedBy: (item: Item) => readonly string[],
): Column<Item>[] {
  return [
    numbers("change", ({ change }) => (change === null ? "new" : differenceText(change)), {
      paint: ({ change }) => differencePaint(change ?? 0, output),
    }),
    ...(Object.entries(titles) as [keyof typeof titles, string][]).map(([by, title]) =>
      numbers<Item>(title, ({ causes }) => (causes?.[by] ? differenceText(causes[by]) : ""), { isOptional: true }),
    ),
    { title: "moved by", text: (item) => movedBy(item).join(", "), isOptional: true, isMinor: true },
  ];
}

const titles = {
  ...{ report: "by reports", rules: "by rules", waiver: "by waivers", policy: "by the policy", move: "by moves" },
  other: "other",
} as const;
