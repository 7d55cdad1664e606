import type { Campaign } from "@maturity/client";
import { isAwaited, useReading } from "../data/reading.ts";
import { dayOf, isoDay, percent } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { useMarksOfActions } from "../time/marks.ts";
import { TimeToCome } from "../time/time-to-come.tsx";
import { countingOf, shareOf, toLineText } from "./words.ts";

const mostDays = 1_000;
const ofRules = ["policy", "replay"] as const;
const shares = [0, 25, 50, 75, 100];

/** The recorded progress of a campaign against the straight line to its date. */
export function CampaignDays({
  campaign: { id, name, starts, due, state, progress },
}: {
  readonly campaign: Campaign;
}) {
  const reading = useReading("/campaigns/{id}/days", { limit: mostDays }, { of: id, upTo: mostDays });
  const marks = useMarksOfActions({}, starts, ofRules);
  const answer = reading?.answer.value;
  if (!answer) return isAwaited(reading) && state !== "draft" ? <TimeToCome /> : null;
  const recorded = answer.items.map((day) => ({ ...day, value: inPercent(shareOf(day)) }));
  const first = recorded.find(({ value }) => value !== null);
  if (!first || first.value === null) {
    return (
      <p class="soft">
        {state === "draft"
          ? `It starts on ${dayOf(starts)}, and its progress is recorded from then on.`
          : "No day is recorded yet: the progress of each day is recorded once a day."}
      </p>
    );
  }
  const today = isoDay(Date.now());
  const now = inPercent(shareOf(progress));
  const isOfNow = state === "running" && today > (recorded.at(-1)?.day ?? today) && now !== null;
  const values = [...recorded, ...(isOfNow ? [{ ...progress, day: today, value: now }] : [])];
  const byDay = new Map(values.map((day) => [day.day, day]));
  const from = first.value;
  const onLine = (day: string) => {
    const passed = (Date.parse(day) - Date.parse(first.day)) / (Date.parse(due) - Date.parse(first.day) || 1);
    return from + (100 - from) * Math.min(Math.max(passed, 0), 1);
  };
  const way = state === "running" && now !== null ? toLineText(now / 100, onLine(today) / 100) : undefined;
  return (
    <section class="card" aria-label="Progress by the day">
      <Chart
        label="Progress by the day"
        name="meet the goal"
        values={values}
        from={first.day}
        to={due}
        ticks={shares}
        say={(value) => percent(value / 100)}
        marks={marks.filter(({ day }) => day >= first.day)}
        aims={[
          {
            name: `straight line to ${dayOf(due)}`,
            from: { day: first.day, value: from },
            to: { day: due, value: 100 },
          },
        ]}
        of={{ campaign: name }}
        columns={[
          { name: "on the line", of: (day) => percent(onLine(day) / 100) },
          {
            name: "members",
            of: (day) => {
              const of = byDay.get(day);
              return of ? `${of.met} of ${countingOf(of)}` : "";
            },
          },
        ]}
      />
      {way !== undefined && (
        <p class="goals">
          Today it is <b class={way.endsWith("behind") ? "down" : undefined}>{way}</b> by the straight line.
        </p>
      )}
    </section>
  );
}

function inPercent(share: number | undefined): number | null {
  return share === undefined ? null : share * 100;
}
