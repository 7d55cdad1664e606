import { freshness, type Target, type WaiverScope } from "@maturity/core";
import { metricIds, noticeable } from "@maturity/core/wire";
import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import { type AppChange, type ChangesSources, namesOf, readChanges } from "../../history/changes.ts";
import { type LaterChanges, readLaterChanges } from "../../history/changes-since.ts";
import { dayBefore } from "../../lists/time.ts";
import { endsSoonDays } from "../../model/limits.ts";
import { excludedOf } from "../../rollups/exemptions.ts";
import type { App } from "../../rollups/organisation.ts";
import { createRecordedDays } from "../../rollups/recorded-days.ts";
import { createRollUpReader } from "../../rollups/roll-ups.ts";
import { stateNow } from "../../store/campaigns.ts";
import { readSnapshot } from "../../store/lines.ts";
import { yieldToEventLoop } from "../../store/slices.ts";
import { query } from "../../store/sql.ts";
import { inForceNow, type StoredWaiver, waiverColumns } from "../../store/waivers.ts";
import { oneLine } from "../plain-text.ts";
import { placeOf, subjectOf } from "../words.ts";

/** The period that a digest covers. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** A line of a digest, about an application, the scope of a waiver or an area. */
export interface Line extends WaiverScope {
  /** Plain text, not escaped. */
  readonly text: string;
}

/** A part of a digest. The most important line comes first. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** The largest number of metrics that a line names. */
const shownMetrics = 3;

/**
 * Reads the changes of a period. Scores are compared with those at its beginning; where rules have changed since, with those
 * at the first moment of its first day in UTC, as by `GET /changes`. Each line is plain text; names, owners and reasons are cut.
 *
 * @returns the sections, and all applications
 * @throws ServiceError `store-unavailable`
 */
export async function readSections(
  { database, engine, applies = [], historyDays }: Omit<ChangesSources, "sources">,
  period: Period,
): Promise<{ readonly sections: readonly Section[]; readonly apps: readonly Target[] }> {
  const sources = {
    rollUps: createRollUpReader(database, { scorecards: engine.scorecards, applies }),
    days: createRecordedDays(database),
  };
  const question = { since: dayBefore(period.since, 0), filter: {} };
  const changes = await readChanges({ database, engine, applies, historyDays, sources }, question, period.since);
  const { apps, now, asOf } = changes;
  const moved = apps
    .flatMap((app, index) => (Math.abs(app.change ?? 0) < noticeable ? [] : [{ ...app, ...now[index] } as MovedApp]))
    .sort((a, b) => a.change - b.change);
  const targets = moved.map(({ target }) => target);
  const later = await readSnapshot(database, database.reads, (lines) =>
    readLaterChanges(lines, engine, { since: period.since, asOf, targets, isWhole: true }),
  );
  const names = metricIds(engine.scorecards);
  const weights = engine.scorecards.flatMap(({ weight, metrics }) => {
    const total = metrics.reduce((sum, metric) => sum + metric.weight, 0);
    return metrics.map((metric) => (weight * metric.weight) / total);
  });
  const lineOf = (app: MovedApp): Line => ({ ...namesOf(app), text: movedText(app, later, names, weights) });
  const ending: (StoredWaiver & { readonly expires_at: Date })[] = await query(database.reads)`
    SELECT ${raw(waiverColumns)} FROM waivers_by_name
    WHERE is_shown AND expires_at <= clock_timestamp() + make_interval(hours => 24 * ${endsSoonDays}::int) AND ${raw(inForceNow)}
    ORDER BY expires_at, id
  `;
  const sections = [
    { title: "Worse", lines: moved.filter(({ change }) => change < 0).map(lineOf) },
    {
      title: "Better",
      lines: moved
        .filter(({ change }) => change > 0)
        .map(lineOf)
        .reverse(),
    },
    { title: "Campaigns", lines: await readCampaignLines(database.reads) },
    { title: "Waivers that end", lines: ending.map((waiver) => ({ ...waiver, text: endingText(waiver) })) },
    { title: "Gone stale", lines: await goneStale(engine, now, period) },
  ];
  return { sections, apps: now };
}

/** An application whose score changed noticeably in the period. */
interface MovedApp extends App {
  readonly score_since: number;
  readonly change: number;
  readonly causes: NonNullable<AppChange["causes"]>;
}

/** The line of an application: its scores, then the causes, with the metrics that moved it most in the same direction. */
function movedText(
  { score_since, score, change, causes, metricScores, ...app }: MovedApp,
  later: LaterChanges,
  names: readonly string[],
  weights: readonly number[],
): string {
  const metrics = names
    .flatMap((metric, index) => {
      const [changed, to] = [later.get(app.target)?.[index], metricScores.at(index)?.score];
      if (!changed || to === undefined) return [];
      const effect = ((to - (changed.former ?? score_since)) * (weights[index] ?? 0)) / change;
      const text =
        changed.former === undefined
          ? `${oneLine(metric)} is new, ${round(to)}`
          : `${oneLine(metric)} ${round(changed.former)} → ${round(to)}`;
      return effect > 0 ? [{ effect, text }] : [];
    })
    .sort((a, b) => b.effect - a.effect)
    .slice(0, shownMetrics);
  const otherCauses = Object.entries(causeNames).flatMap(([cause, name]) => {
    const points = causes[cause as keyof typeof causeNames];
    return round(points) === 0 ? [] : [`${name} ${signed(points)}`];
  });
  const why = [...otherCauses, ...metrics.map(({ text }) => text)].join(", ");
  return `${placeOf(app)} ${round(score_since)} → ${round(score)} (${signed(change)})${why && `: ${why}`}`;
}

const causeNames = {
  rules: "rules",
  waiver: "waivers",
  policy: "policy",
  move: "a merge",
  other: "other causes",
} as const;

function endingText({ expires_at, owner, reason, ...waiver }: StoredWaiver & { readonly expires_at: Date }): string {
  return `${dayBefore(expires_at, 0)}: ${subjectOf(waiver)} of ${placeOf(waiver)}; ${oneLine(owner)}: ${oneLine(reason)}`;
}

/**
 * Reads how each running campaign stands in each of its areas where a member is left, by its last recorded day; what is due
 * first comes first.
 */
async function readCampaignLines(knex: Knex): Promise<Line[]> {
  const rows: { name: string; due: string; area: string; met: number; members: number }[] = await query(knex)`
    SELECT name, due::text, area, sum(met)::int AS met, sum(members - waived - exempt)::int AS members
    FROM campaigns JOIN campaign_days ON campaign_id = id AND day = recorded
    WHERE ${raw(stateNow)} = 'running'
    GROUP BY id, area HAVING sum(met) < sum(members - waived - exempt)
    ORDER BY due, name, id, area
  `;
  return rows.map(({ name, due, area, met, members }) => ({
    area,
    text: `${oneLine(name)}, due ${due}: ${met} of ${members} of ${oneLine(area)} meet the goal`,
  }));
}

/** The metrics that became stale in the period and count, the oldest result first. */
async function goneStale(
  engine: ChangesSources["engine"],
  apps: readonly App[],
  { since, until }: Period,
): Promise<Line[]> {
  const metrics = engine.scorecards.flatMap(({ metrics }) => metrics);
  const names = metricIds(engine.scorecards);
  const found: (Line & { readonly at: number })[] = [];
  for (const { metricScores, waivers, exemptions, ...app } of apps) {
    await yieldToEventLoop();
    const excluded = excludedOf(engine.scorecards, exemptions, waivers);
    for (const [index, metric] of metrics.entries()) {
      const at = Number(metricScores.at(index)?.reported_at);
      const isStale = (time: Date) => freshness(metric, at, time) === "stale";
      if (Number.isNaN(at) || excluded[index] || isStale(since) || !isStale(until)) continue;
      const text = `${placeOf(app)} ${oneLine(names[index] ?? "")}, last measured ${dayBefore(new Date(at), 0)}`;
      found.push({ ...namesOf(app), at, text });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Rounds to one decimal. */
function round(points: number): number {
  return Math.round(points * 10) / 10 + 0;
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(round(points))}`;
}
