import type { ProblemTimes, ProblemWeek } from "@maturity/client";
import { type Column, numbers } from "@maturity/command-line/table";
import { type ListTable, secondsText, severityPaint } from "./lists.ts";
import { age } from "./words.ts";

/** How long problems are open, the gravest first. */
export const timesTable: ListTable = {
  noun: "severity",
  empty: "no problem is open or was resolved",
  open: (client, query) => client.problemTimes(query),
  columns: (output, asOf): Column<ProblemTimes>[] => {
    const since = (at: string | null) => (at === null ? "-" : age(at, asOf));
    const took = (seconds: number | null) => (seconds === null ? "-" : secondsText(seconds));
    return [
      { title: "area", text: ({ area }) => area ?? "all" },
      { title: "env", text: ({ env }) => env },
      { title: "severity", text: ({ severity }) => severity, paint: ({ severity }) => severityPaint(severity, output) },
      numbers("open", ({ open }) => String(open)),
      { title: "median", text: ({ median_opened_at }) => since(median_opened_at) },
      { title: "90 % within", text: ({ p90_opened_at }) => since(p90_opened_at) },
      numbers("resolved", ({ resolved }) => String(resolved)),
      { title: "median took", text: ({ resolved_median_seconds }) => took(resolved_median_seconds) },
      { title: "90 % took up to", text: ({ resolved_p90_seconds }) => took(resolved_p90_seconds) },
    ];
  },
};

/** What was opened and resolved each week, the earliest first. */
export const weeksTable: ListTable = {
  noun: "week",
  open: (client, query) => client.problemWeeks(query),
  columns: (): Column<ProblemWeek>[] => [
    { title: "week from", text: ({ week }) => week },
    numbers("opened", ({ opened }) => String(opened)),
    numbers("resolved", ({ resolved }) => String(resolved)),
    numbers("open at its end", ({ open }) => String(open)),
  ],
};
