import type { DailyRollUp, ScoreChange } from "@maturity/client";
import { isAwaited, type Reading, useReading } from "../data/reading.ts";
import { isoDay, percent, points } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { valueTicks } from "../parts/chart-scale.ts";
import { hrefOf, place } from "../place.ts";
import { chosenRange, hasTrend, ranges } from "./days.ts";
import { Goals } from "./goals.tsx";
import { Happened } from "./happened.tsx";
import { lastDue, marksOfCampaigns, marksOfChanges, useMarksOfActions } from "./marks.ts";
import { TimeToCome } from "./time-to-come.tsx";

/** The score on each recorded day of the last 30, 90 or 365 days, with what else changed it. */
export function TimeCard({
  of,
  days,
  changes = [],
}: {
  readonly of: {
    /** Without it, the organisation. */
    readonly area?: string | undefined;
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
  const { env: _, ...names } = of;
  // The line to the date is known for all environments together.
  const key = of.app === undefined ? names : of;
  const found = useReading("/campaigns", key);
  const campaigns = (found?.answer.value?.items ?? []).filter(({ scope }) => scope.env?.includes(of.env) ?? true);
  const marksOfActions = useMarksOfActions(names, from);
  if (isAwaited(days) || isAwaited(found)) return <TimeToCome days={days} />;
  const recorded = days?.answer.value?.items ?? [];
  if (!hasTrend(days)) return null;
  const to = lastDue(campaigns, today, Number(range));
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
  // Of a day that was written later only the score is known.
  const freshOf = (day: string) => byDay.get(day)?.fresh ?? undefined;
  const freshText = (day: string) => {
    const fresh = freshOf(day);
    return fresh === undefined ? undefined : percent(fresh);
  };
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
        label="Score by the day, at 00:00 UTC"
        name="score"
        values={recorded.map(({ at, score }) => ({ day: at.slice(0, 10), value: score }))}
        from={from}
        to={to}
        ticks={valueTicks(Math.min(...scores), Math.max(...scores))}
        say={points}
        marks={[...marksOfChanges(changes), ...marksOfActions, ...marksOfCampaigns(campaigns)].filter(
          (mark) => mark.day >= from && mark.day <= to,
        )}
        columns={[{ name: "fresh", of: freshText, saved: freshOf }]}
        of={{ area: of.area, team: of.team, app: of.app, env: of.env }}
      >
        {choices}
      </Chart>
      <Happened marks={marksOfActions.filter(({ day }) => day >= from)} of={of} />
      <Goals campaigns={campaigns} env={of.env} />
    </section>
  );
}
