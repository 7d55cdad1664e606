import { type Engine, type Evidence, rollUpApp, type Target, waivedMetrics } from "@maturity/core";
import { slice } from "../http/slices.ts";
import { dayBefore, usualDays } from "../lists/time.ts";
import { invalidPayload } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { idBy } from "../rollups/groups.ts";
import type { App } from "../rollups/organisation.ts";
import type { PastApp, RecordedDays } from "../rollups/recorded-days.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import { areSame, readWaivers, type ScoreWaiver } from "../rollups/waivers.ts";
import { weightsOf } from "../rollups/weights.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { midnight } from "../store/utc.ts";
import { type LaterChanges, readLaterChanges } from "./changes-since.ts";
import { readMoved } from "./moved-since.ts";
import { oldestKept } from "./prune.ts";

/** How the score of an application has changed since a day. */
export interface AppChange extends Target {
  /** At the first moment of the day; null if the application had no score then, or the day is not kept any more. */
  readonly score_since: number | null;
  readonly score: number;
  /** The difference; null if there is nothing to compare with. */
  readonly change: number | null;
  /** What each cause adds to the difference. */
  readonly causes: Readonly<Record<Cause, number>> | null;
}

/** `report`: other results; `rules`: other scorers or weights; `waiver`: other waivers; `move`: another application merged into it. */
export const causes = ["report", "rules", "waiver", "move"] as const;

type Cause = (typeof causes)[number];

/** The changes of all applications that a filter leaves. */
export interface Changes {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly AppChange[];
  /** The same applications as they are now, in the same order. */
  readonly now: readonly App[];
  /** What became of their scores, as far as it was read, and maybe of others. */
  readonly later: LaterChanges;
}

/** Which changes are read. */
export interface ChangesQuestion {
  /** A day in UTC; if absent 30 days ago, or the oldest that is kept if that is later. */
  readonly since: string | undefined;
  readonly filter: TargetFilter;
  /** Is every score wanted that has changed, also where the roll-ups can be compared without? */
  readonly isWhole?: boolean;
}

/** From what changes are read. */
export interface ChangesSources {
  readonly database: Database;
  readonly engine: Engine;
  readonly historyDays: number;
  readonly sources: { readonly rollUps: RollUpReader; readonly days: RecordedDays };
}

/**
 * Compares each application with itself at the first moment of a day. The score of that day is the recorded roll-up, or
 * if there is none, the roll-up of the scores of that moment with today's weights. The rules account for the step from
 * there to the roll-up of those scores with today's weights and every later change by the rules; reports account for
 * the rest.
 *
 * Of a day that is not kept any more no score is known, since changes after it have been deleted.
 *
 * Where something was moved to the name of an application since, the scores of that moment may have come with it. Then the
 * step from the recorded roll-up to theirs is by the move; if the weights have changed too, the step is by the rules.
 *
 * Between the two stands what waivers account for: the step from the roll-up of those scores with the waivers of that moment
 * to their roll-up with those of now.
 *
 * A roll-up is a weighted mean, so what a change of one score adds to it depends on no other score. What reports changed is read
 * only of applications whose weights or waivers are not those of the day, or to whose name something was moved.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a day in the future
 */
export async function readChanges(
  { database, engine, historyDays, sources }: ChangesSources,
  { since, filter, isWhole = false }: ChangesQuestion,
): Promise<Changes> {
  const now = await sources.rollUps.read(filter);
  const [asOf, apps] = [now.asOf, await now.apps()];
  const oldest = oldestKept(asOf, historyDays);
  const usual = dayBefore(asOf, usualDays);
  const day = since ?? (oldest !== undefined && oldest > usual ? oldest : usual);
  requirePast(day, asOf);
  if (oldest === undefined || day < oldest)
    return { asOf, apps: apps.map((app) => ({ ...namesOf(app), ...unknown(app) })), now: apps, later: new Map() };
  const then = await sources.days.read(day, filter);
  const recorded = new Map<string, PastApp>();
  for (const app of await then.apps()) {
    await slice();
    recorded.set(idOf(app), app);
  }
  const weights = weightsOf(engine.scorecards);
  return readSnapshot(database, database.reads, async (lines) => {
    const waiversOf = await readWaivers(lines, new Date(`${day}T00:00:00Z`));
    const isMoved = await readMoved(lines, midnight(day));
    const pastOf = (app: App, later: LaterChanges): Past => ({
      ...{ recorded: recorded.get(app.id), weights, later, waivers: waiversOf(app), isMoved: isMoved(app) },
    });
    const few = await readLaterChanges(lines, { day, asOf, apps, isWhole });
    const unlike: App[] = [];
    for (const app of isWhole ? [] : apps) {
      await slice();
      if (!isComparable(app, pastOf(app, few))) unlike.push(app);
    }
    const later =
      unlike.length > 0
        ? new Map([...few, ...(await readLaterChanges(lines, { day, asOf, apps: unlike, isWhole: true }))])
        : few;
    const compared: AppChange[] = [];
    for (const app of apps) {
      await slice();
      compared.push({ ...namesOf(app), ...compare(app, pastOf(app, later), engine) });
    }
    return { asOf, apps: compared, now: apps, later };
  });
}

function namesOf({ area, team, app, env }: App): Target {
  return { area, team, app, env };
}

/** What is told of an application with whose past nothing can be compared. */
function unknown({ score }: Pick<App, "score">): Omit<AppChange, keyof Target> {
  return { score_since: null, score, change: null, causes: null };
}

const idOf = idBy(["area", "team", "app", "env"]);

function requirePast(day: string, asOf: Date): void {
  const today = dayBefore(asOf, 0);
  if (day <= today) return;
  throw invalidPayload([{ path: "since", message: `must not be in the future; today is ${today} in UTC` }]);
}

/** What is known of the past of an application. */
interface Past {
  /** Its roll-up at the first moment of the day. */
  readonly recorded: PastApp | undefined;
  /** Today's weights. */
  readonly weights: number;
  /** Those in force at that moment. */
  readonly waivers: readonly ScoreWaiver[];
  /** May it have values of another application since? */
  readonly isMoved: boolean;
  readonly later: LaterChanges;
}

/** Is enough known to compare an application without what reports changed? */
function isComparable(
  { scoreIds, waivers }: App,
  { recorded, weights, later, waivers: before, isMoved }: Past,
): boolean {
  if (isMoved || !areSame(waivers, before)) return false;
  if (recorded) return recorded.weights === weights;
  return scoreIds.every((id) => id === undefined || (later.has(id) && later.get(id)?.former === undefined));
}

const anyTime = new Date(0);

/** Its age makes no difference to a score. */
const evidence = (score: number): Evidence => ({ score, reported_at: 0 });

/** By how much the steps of scores are made smaller to roll them up, since a roll-up ends at 100 and their sum may not. */
const stepScale = 100;

function compare(
  { score, scores, scoreIds, waivers }: App,
  { recorded, weights, later, waivers: before, isMoved }: Past,
  { scorecards }: Engine,
): Omit<AppChange, keyof Target> {
  const waived = waivedMetrics(scorecards, waivers);
  const rollUp = (scores: readonly (Evidence | undefined)[], by = waived) =>
    rollUpApp(scorecards, scores, anyTime, by)?.score;
  const changes = scoreIds.map((id) => (id === undefined ? undefined : later.get(id)));
  const then = scores.map((score, place) => {
    const former = changes[place] ? changes[place].former : score;
    return former === undefined || Number.isNaN(former) ? undefined : evidence(former);
  });
  const atMidnight = rollUp(then, waivedMetrics(scorecards, before));
  const since = recorded?.score ?? atMidnight;
  if (since === undefined) return unknown({ score });
  const withThose = areSame(waivers, before) ? atMidnight : rollUp(then);
  const step = atMidnight === undefined ? 0 : atMidnight - since;
  const isReweighted = recorded !== undefined && recorded.weights !== weights;
  const added = (by: "byRules" | "byMoves") => {
    if (!changes.some((change) => change?.[by])) return 0;
    const steps = then.map((one, place) => one && evidence((changes[place]?.[by] ?? 0) / stepScale));
    return (rollUp(steps) ?? 0) * stepScale;
  };
  const change = difference(score, since);
  const waiver = atMidnight === undefined || withThose === undefined ? 0 : difference(withThose, atMidnight);
  const rules = difference((isReweighted ? step : 0) + added("byRules"), 0);
  const move = difference((isMoved && !isReweighted ? step : 0) + added("byMoves"), 0);
  return {
    ...{ score_since: since, score, change },
    causes: { report: difference(change, rules + waiver + move), rules, waiver, move },
  };
}

/** Without the noise of floating-point numbers, which would show a cause where there is none. */
function difference(one: number, other: number): number {
  return Math.round((one - other) * 1e9) / 1e9 + 0;
}
