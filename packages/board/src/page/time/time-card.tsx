import type { DailyRollUp, Lists, ScoreChange } from "@maturity/client";
import { type Reading, useReading } from "../data/reading.ts";
import { isoDay, percent, points } from "../format.ts";
import { Chart, type Mark } from "../parts/chart.tsx";
import { valueTicks } from "../parts/chart-scale.ts";
import { hrefOf, place } from "../place.ts";
import { chosenRange, ranges } from "./days.ts";

/** The score on each recorded day of the last 30, 90 or 365 days, with what else changed it. */
export function TimeCard({
  of,
  days,
  changes = [],
}: {
  readonly of: {
    readonly area: string;
    readonly team?: string | undefined;
    readonly app?: string | undefined;
    readonly env: string;
  };
  readonly days: Reading<DailyRollUp> | undefined;
  /** The changes of the scores of an application, where they are known. */
  readonly changes?: readonly ScoreChange[];
}) {
  const { range, from } = chosenRange();
  const today = isoDay(Date.now());
  const campaigns = useReading("/campaigns", of)?.answer.value?.items ?? [];
  const recorded = days?.answer.value?.items ?? [];
  if (recorded.length < 2 && place.value.days === undefined) return null;
  const scores = recorded.flatMap(({ score }) => score ?? []);
  const byDay = new Map(recorded.map((one) => [one.at.slice(0, 10), one]));
  const choices = (
    <nav class="row" aria-label="How many days">
      {ranges.map((one) => (
        <a
          key={one}
          class="chip choice"
          href={hrefOf({ ...place.value, days: one })}
          aria-current={one === range ? "true" : undefined}
        >
          {one} days
        </a>
      ))}
    </nav>
  );
  if (scores.length === 0) {
    return (
      <section class="card time">
        {choices}
        <p class="soft">No day is recorded in this time.</p>
      </section>
    );
  }
  return (
    <section class="card time" aria-label="Score by the day">
      <Chart
        label="Score by the day"
        name="score"
        values={recorded.map(({ at, score }) => ({ day: at.slice(0, 10), value: score }))}
        from={from}
        to={today}
        ticks={valueTicks(Math.min(...scores), Math.max(...scores))}
        say={points}
        marks={[...marksOfChanges(changes), ...marksOfCampaigns(campaigns)].filter(
          (mark) => mark.day >= from && mark.day <= today,
        )}
        columns={[{ name: "fresh", of: (one) => percent(byDay.get(one)?.fresh ?? 0) }]}
      >
        {choices}
      </Chart>
    </section>
  );
}

/** What else than results changed the scores of an application, once for a day and a cause. */
function marksOfChanges(changes: readonly ScoreChange[]): readonly Mark[] {
  const marks = changes.flatMap(({ at, cause, scorer, metric }) =>
    cause === "report"
      ? []
      : [
          {
            day: at.slice(0, 10),
            text: cause === "rules" ? `${metric} by the rules of ${scorer}` : `${metric} by a merge`,
          },
        ],
  );
  return [...new Map(marks.map((mark) => [`${mark.day} ${mark.text}`, mark])).values()];
}

function marksOfCampaigns(campaigns: readonly Lists["/campaigns"][]): readonly Mark[] {
  return campaigns.flatMap(({ name, state, starts, due, ended_at }) => [
    ...(state === "draft" ? [] : [{ day: starts, text: `the campaign ${name} began, due ${due}` }]),
    ...(ended_at === null ? [] : [{ day: ended_at.slice(0, 10), text: `the campaign ${name} ended` }]),
  ]);
}
