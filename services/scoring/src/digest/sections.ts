import { freshness, type Target, type WaiverScope } from "@maturity/core";
import { metricIds, waivedInOrder } from "@maturity/core/wire";
import { line } from "../alerts/message.ts";
import { type AppChange, type ChangesSources, namesOf, readChanges } from "../history/changes.ts";
import { type LaterChanges, readLaterChanges } from "../history/changes-since.ts";
import { slice } from "../http/slices.ts";
import { dayBefore } from "../lists/time.ts";
import type { App } from "../rollups/organisation.ts";
import { createRecordedDays } from "../rollups/recorded-days.ts";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import { readSnapshot } from "../store/lines.ts";
import { inForceNow, type StoredWaiver, waiverColumns } from "../store/waivers.ts";

/** The time between two digests. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** A line of a digest, in Slack's mark-up, about an application or all that a waiver covers. */
export interface Told extends WaiverScope {
  readonly text: string;
}

/** A part of a digest. What matters most comes first. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Told[];
}

/** The smallest change of an application's score that is told, in points. */
const noticeable = 0.5;

/** How many days before its end a waiver is told, as the alert rule `MaturityWaiverEnds` does. */
const daysAhead = 14;

/** Most metrics that a line names. */
const shownMetrics = 3;

/**
 * Reads what happened in a period. Scores are compared as `GET /changes` does, with the first moment of its first day in
 * UTC. Names, owners and reasons are escaped, so they are shown literally.
 *
 * @returns the sections, and all applications
 * @throws ServiceError `store-unavailable`
 */
export async function readSections(
  { database, engine, historyDays }: Omit<ChangesSources, "sources">,
  period: Period,
): Promise<{ readonly sections: readonly Section[]; readonly apps: readonly Target[] }> {
  const sources = { rollUps: createRollUpReader(database, engine), days: createRecordedDays(database) };
  const question = { since: dayBefore(period.since, 0), filter: {} };
  const { apps, now, day, asOf } = await readChanges({ database, engine, historyDays, sources }, question);
  const moved = apps
    .flatMap((one, index) => (Math.abs(one.change ?? 0) < noticeable ? [] : [{ ...one, ...now[index] } as Moved]))
    .sort((a, b) => a.change - b.change);
  const targets = moved.map(({ target }) => target);
  const later = await readSnapshot(database, database.reads, (lines) =>
    readLaterChanges(lines, engine, { day, asOf, targets, isWhole: true }),
  );
  const names = metricIds(engine.scorecards);
  const weights = engine.scorecards.flatMap(({ weight, metrics }) => {
    const total = metrics.reduce((sum, metric) => sum + metric.weight, 0);
    return metrics.map((metric) => (weight * metric.weight) / total);
  });
  const tell = (one: Moved): Told => ({ ...namesOf(one), text: movedText(one, later, names, weights) });
  const { rows: ending }: { rows: (StoredWaiver & { readonly expires_at: Date })[] } = await database.reads.raw(
    `SELECT ${waiverColumns} FROM waivers_by_name
     WHERE expires_at <= clock_timestamp() + make_interval(hours => 24 * ?::int) AND ${inForceNow}
     ORDER BY expires_at, id`,
    [daysAhead],
  );
  const sections = [
    { title: "Worse", lines: moved.filter(({ change }) => change < 0).map(tell) },
    {
      title: "Better",
      lines: moved
        .filter(({ change }) => change > 0)
        .map(tell)
        .reverse(),
    },
    { title: "Waivers that end", lines: ending.map((one) => ({ ...scopeOf(one), text: endingText(one) })) },
    { title: "Gone stale", lines: await goneStale(engine, now, period) },
  ];
  return { sections, apps: now };
}

/** An application whose score is noticeably better or worse than then. */
interface Moved extends App {
  readonly score_since: number;
  readonly change: number;
  readonly causes: NonNullable<AppChange["causes"]>;
}

function scopeOf({ area, team, app, env }: StoredWaiver): WaiverScope {
  return { area, team, app, env };
}

/** Names the metrics that moved the same way, that which moves the application most first. */
function movedText(
  { score_since, score, change, causes, metricScores, ...app }: Moved,
  later: LaterChanges,
  names: readonly string[],
  weights: readonly number[],
): string {
  const metrics = names
    .flatMap((metric, index) => {
      const [one, to] = [later.get(app.target)?.[index], metricScores[index]?.score];
      if (!one || to === undefined) return [];
      const effect = ((to - (one.former ?? score_since)) * (weights[index] ?? 0)) / change;
      const text =
        one.former === undefined
          ? `${line(metric)} is new, ${round(to)}`
          : `${line(metric)} ${round(one.former)} → ${round(to)}`;
      return effect > 0 ? [{ effect, text }] : [];
    })
    .sort((a, b) => b.effect - a.effect)
    .slice(0, shownMetrics);
  const others = Object.entries(causeNames).flatMap(([cause, name]) => {
    const points = causes[cause as keyof typeof causeNames];
    return round(points) === 0 ? [] : [`${name} ${signed(points)}`];
  });
  const why = [...others, ...metrics.map(({ text }) => text)].join(", ");
  return `${nameOf(app)} ${round(score_since)} → ${round(score)} (${signed(change)})${why && `: ${why}`}`;
}

const causeNames = { rules: "rules", waiver: "waivers", move: "a merge", other: "other causes" } as const;

function endingText({
  expires_at,
  owner,
  reason,
  env,
  ...waiver
}: StoredWaiver & { readonly expires_at: Date }): string {
  const names = [waiver.area, waiver.team, waiver.app].filter((name) => name !== null).map(line);
  const what = waiver.problem_type ?? [waiver.scorecard, waiver.metric].filter((name) => name !== null).join(".");
  const scope = `${line(what)} of ${names.join("/")}${env === null ? "" : ` (${line(env)})`}`;
  return `${dayBefore(expires_at, 0)}: ${scope}; ${line(owner)}: ${line(reason)}`;
}

/** The metrics that count and have become stale in the period, the oldest first. */
async function goneStale(
  engine: ChangesSources["engine"],
  apps: readonly App[],
  { since, until }: Period,
): Promise<Told[]> {
  const metrics = engine.scorecards.flatMap(({ metrics }) => metrics);
  const names = metricIds(engine.scorecards);
  const found: (Told & { readonly at: number })[] = [];
  for (const { metricScores, waivers, ...app } of apps) {
    await slice();
    const waived = waivedInOrder(engine.scorecards, waivers);
    for (const [index, metric] of metrics.entries()) {
      const at = Number(metricScores[index]?.reported_at);
      const isStale = (time: Date) => freshness(metric, at, time) === "stale";
      if (Number.isNaN(at) || waived[index] || isStale(since) || !isStale(until)) continue;
      const text = `${nameOf(app)} ${line(names[index] ?? "")}, last reported ${dayBefore(new Date(at), 0)}`;
      found.push({ ...namesOf(app), at, text });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

function nameOf({ area, team, app, env }: Target): string {
  return `${[area, team, app].map(line).join("/")} (${line(env)})`;
}

/** With one digit after the point. */
function round(points: number): number {
  return Math.round(points * 10) / 10 + 0;
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(round(points))}`;
}
