import type { AuditEntry, Lists, ScoreChange } from "@maturity/client";
import { useReading } from "../data/reading.ts";
import { isoDay } from "../format.ts";
import type { Mark } from "../parts/chart.tsx";

const day = 86_400_000;

/** As many actions of a kind are named one by one on a day. */
const mostNamed = 3;

/** What else than results changed the scores of an application, once for a day and a cause. */
export function marksOfChanges(changes: readonly ScoreChange[]): readonly Mark[] {
  const marks = changes.flatMap(({ at, cause, scorer, metric }) =>
    cause === "report" || cause === "backfill"
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

/** Whatever changes scores and leaves an entry in the audit. */
const changing = ["policy", "replay", "move", "retirement"] as const;

/** Other rules, moves and retirements since a day, or some of these, of all or of what has these names. */
export function useMarksOfActions(
  { area, team, app }: { readonly [Name in "area" | "team" | "app"]?: string | undefined },
  since: string,
  kind: readonly (typeof changing)[number][] = changing,
): readonly Mark[] {
  const actions = useReading("/audit", { area, team, app, kind, since, limit: 1_000 }, { refreshed: false });
  return marksOfActions(actions?.answer.value?.items ?? []);
}

/** A mark for each action, or one for many of a kind on a day. */
export function marksOfActions(actions: readonly AuditEntry[]): readonly Mark[] {
  // The beginning of a replay has an end, which says the same. The first rules changed nothing.
  const whole = actions.filter(({ details, text }) => details.phase !== "begin" && text !== "loaded the first rules");
  const groups = Map.groupBy(whole, ({ at, action }) => `${at.slice(0, 10)} ${action}`);
  return [...groups.values()].flatMap((group) =>
    group.length > mostNamed && isOfNames(group[0])
      ? [{ day: dayOf(group[0]), text: `${group.length} ${group[0]?.action === "app.move" ? "moves" : "retirements"}` }]
      : group.map((one) => ({ day: dayOf(one), text: one.text })),
  );
}

function dayOf(action: AuditEntry | undefined): string {
  return action?.at.slice(0, 10) ?? "";
}

function isOfNames(action: AuditEntry | undefined): boolean {
  return action?.action === "app.move" || action?.action === "app.retire";
}

/** When campaigns began and ended, and by when they want their goals met. */
export function marksOfCampaigns(campaigns: readonly Lists["/campaigns"][]): readonly Mark[] {
  return campaigns.flatMap(({ name, state, starts, due, ended_at }) => [
    ...(state === "draft" ? [] : [{ day: starts, text: `the campaign ${name} began, due ${due}` }]),
    ...(state === "running" ? [{ day: due, text: `the goal of the campaign ${name} is due` }] : []),
    ...(ended_at === null ? [] : [{ day: ended_at.slice(0, 10), text: `the campaign ${name} ended` }]),
  ]);
}

/** The last day of the axis: the last goal that is due within a third of the range from today, or today. */
export function lastDue(campaigns: readonly Lists["/campaigns"][], today: string, range: number): string {
  const most = isoDay(Date.parse(today) + (range / 3) * day);
  const dues = campaigns.flatMap(({ state, due }) => (state === "running" && due <= most ? [due] : []));
  return [today, ...dues].sort().at(-1) ?? today;
}
