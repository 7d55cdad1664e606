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
import { evidence, type LaterChanges, readLaterChanges, readScoresAt } from "./changes-since.ts";
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
}

/** Which changes are read. */
export interface ChangesQuestion {
  /** A day in UTC; if absent 30 days ago, or the oldest that is kept if that is later. */
  readonly since: string | undefined;
  readonly filter: TargetFilter;
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
 * A roll-up is a weighted mean, so what a change of one score adds to it depends on no other score. While the weights and
 * the waivers are those of the day, only the changes by the rules are read; the scores of that moment are read where they are not.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a day in the future
 */
export async function readChanges(
  { database, engine, historyDays, sources }: ChangesSources,
  { since, filter }: ChangesQuestion,
): Promise<Changes> {
  const now = await sources.rollUps.read(filter);
  const [asOf, apps] = [now.asOf, await now.apps()];
  const oldest = oldestKept(asOf, historyDays);
  const usual = dayBefore(asOf, usualDays);
  const day = since ?? (oldest !== undefined && oldest > usual ? oldest : usual);
  requirePast(day, asOf);
  if (oldest === undefined || day < oldest)
    return { asOf, apps: apps.map((app) => ({ ...namesOf(app), ...unknown(app) })), now: apps };
  const then = await sources.days.read(day, filter);
  const recorded = new Map<string, PastApp>();
  for (const app of await then.apps()) {
    await slice();
    recorded.set(idOf(app), app);
  }
  const weights = weightsOf(engine.scorecards);
  return readSnapshot(database, database.reads, async (lines) => {
    const later = await readLaterChanges(lines, { day, asOf, apps });
    const waiversOf = await readWaivers(lines, new Date(`${day}T00:00:00Z`));
    const isMoved = await readMoved(lines, midnight(day));
    const pastOf = (app: App): Past => ({
      ...{ recorded: recorded.get(app.id), weights, later, waivers: waiversOf(app), isMoved: isMoved(app) },
    });
    const unlike = new Set<App>();
    const ids: number[] = [];
    for (const app of apps) {
      await slice();
      if (isComparable(app, pastOf(app))) continue;
      unlike.add(app);
      for (const id of app.scoreIds) if (id !== undefined) ids.push(id);
    }
    const scoresAt = ids.length === 0 ? undefined : await readScoresAt(lines, { day, ids, filter });
    const compared: AppChange[] = [];
    for (const app of apps) {
      await slice();
      const past = { ...pastOf(app), scores: scoresAt && unlike.has(app) ? scoresOf(app, scoresAt) : undefined };
      compared.push({ ...namesOf(app), ...compare(app, past, engine) });
    }
    return { asOf, apps: compared, now: apps };
  });
}

function namesOf({ area, team, app, env }: App): Target {
  return { area, team, app, env };
}

/** What is told of an application with whose past nothing can be compared. */
function unknown({ score }: App): Omit<AppChange, keyof Target> {
  return { score_since: null, score, change: null, causes: null };
}

/** The scores of an application among those that were read, in hundredths by id; undefined if it has none there. */
function scoresOf({ scoreIds }: App, found: ReadonlyMap<number, number>): (Evidence | undefined)[] | undefined {
  const scores = scoreIds.map((id) => {
    const score = id === undefined ? undefined : found.get(id);
    return score === undefined ? undefined : evidence(score / hundredths);
  });
  return scores.some((score) => score !== undefined) ? scores : undefined;
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
  /** Its scores at that moment, if they were read; in the order of the scorecards and their metrics. */
  readonly scores?: readonly (Evidence | undefined)[] | undefined;
  /** Today's weights. */
  readonly weights: number;
  /** Those in force at that moment. */
  readonly waivers: readonly ScoreWaiver[];
  /** May it have values of another application since? */
  readonly isMoved: boolean;
  readonly later: LaterChanges;
}

/** Is enough known to compare an application without its scores at that moment? */
function isComparable(
  { scoreIds, waivers }: App,
  { recorded, weights, later, waivers: before, isMoved }: Past,
): boolean {
  if (isMoved || !areSame(waivers, before)) return false;
  if (recorded) return recorded.weights === weights;
  return scoreIds.every((id) => id === undefined || later.get(id)?.isFirst);
}

const anyTime = new Date(0);

const hundredths = 100;

/** By how much the steps of scores are made smaller to roll them up, since a roll-up ends at 100 and their sum may not. */
const stepScale = 100;

function compare(app: App, past: Past, { scorecards }: Engine): Omit<AppChange, keyof Target> {
  const { score, scoreIds } = app;
  const { recorded, scores, weights, later } = past;
  const waived = waivedMetrics(scorecards, app.waivers);
  const rollUp = (scores: readonly (Evidence | undefined)[], by = waived) =>
    rollUpApp(scorecards, scores, anyTime, by)?.score;
  const atMidnight = scores && rollUp(scores, waivedMetrics(scorecards, past.waivers));
  const withThose = scores && !areSame(app.waivers, past.waivers) ? rollUp(scores) : atMidnight;
  const since = recorded?.score ?? atMidnight;
  if (since === undefined) return unknown(app);
  const step = atMidnight === undefined ? 0 : atMidnight - since;
  const isReweighted = recorded !== undefined && recorded.weights !== weights;
  const added = (by: "byRules" | "byMoves") => {
    const steps = scoreIds.map((id, place) => {
      const change = id === undefined ? undefined : later.get(id);
      const wasThere = scores ? scores[place] : id !== undefined && !change?.isFirst;
      return wasThere ? evidence((change?.[by] ?? 0) / hundredths / stepScale) : undefined;
    });
    return (rollUp(steps) ?? 0) * stepScale;
  };
  const byWaivers = atMidnight === undefined || withThose === undefined ? 0 : withThose - atMidnight;
  const change = difference(score, since);
  const waiver = difference(byWaivers, 0);
  const rules = difference((isReweighted ? step : 0) + added("byRules"), 0);
  const move = difference((past.isMoved && !isReweighted ? step : 0) + added("byMoves"), 0);
  return {
    ...{ score_since: since, score, change },
    causes: { report: difference(change, rules + waiver + move), rules, waiver, move },
  };
}

/** Without the noise of floating-point numbers, which would show a cause where there is none. */
function difference(one: number, other: number): number {
  return Math.round((one - other) * 1e9) / 1e9 + 0;
}
