import type { MetricAverage, Team } from "@maturity/client";
import { scoreText, shareText } from "@maturity/command-line/score-text";
import { type Column, numbers } from "@maturity/command-line/table";
import { metricText } from "@maturity/report-files/metric-name";
import { type ListTable, lists, named, scored } from "./lists.ts";
import { scorePaint } from "./words.ts";

/** Each metric over all applications, what costs most first. */
export const metricTable: ListTable = {
  noun: "metric",
  empty: "nothing was reported",
  worstFirst: "gain",
  open: (client, query) => client.metricAverages(query),
  columns: (output): Column<MetricAverage>[] => [
    ...named<MetricAverage>("env"),
    { title: "metric", text: metricText },
    ...scored<MetricAverage>(output, "average"),
    { title: "most score", text: spreadText },
    numbers("costs", ({ gain }) => gain.toFixed(1)),
    numbers("reported", ({ reported }) => shareText(reported)),
    ...shareColumns,
    numbers("waivers", ({ waivers }) => String(waivers)),
  ],
};

const shareColumns: readonly Column<MetricAverage>[] = (["stale", "waived", "exempt"] as const).map((share) =>
  numbers(share, (metric: MetricAverage) => (metric[share] > 0 ? shareText(metric[share]) : ""), { isOptional: true }),
);

/** Between which scores eight applications in ten are. */
function spreadText({ p10, p90 }: MetricAverage): string {
  return p10 === null || p90 === null ? "-" : `${scoreText(p10)} to ${scoreText(p90)}`;
}

/** The teams with a column for each of their metrics. */
export const teamsWithMetrics: ListTable = {
  ...lists.team,
  columns: (output, _, items): Column<Team>[] => [
    ...named<Team>("area", "team", "env"),
    ...scored<Team>(output),
    ...((items as readonly Team[])[0]?.metrics ?? []).map((metric, index) => {
      const own = ({ metrics }: Team) => metrics?.[index]?.score ?? null;
      return numbers(metricText(metric), (team: Team) => scoreText(own(team)), {
        paint: (team: Team) => scorePaint(own(team), output),
      });
    }),
  ],
};
