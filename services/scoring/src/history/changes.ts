import type { Engine, Target } from "@maturity/core";
import { rollUpInOrder, waivedInOrder } from "@maturity/core/wire";
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
import { type LaterChange, readLaterChanges, readMoved } from "./changes-since.ts";
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

/**
 * `report`: other results; `rules`: other scorers or weights; `waiver`: other waivers; `move`: another application merged
 * into it; `other`: what none of these explains.
 */
export const causes = ["report", "rules", "waiver", "move", "other"] as const;

type Cause = (typeof causes)[number];

/** The changes of all applications that a filter leaves. */
export interface Changes {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly day: string;
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
 * if there is none, the roll-up of the scores of that moment with today's weights. Of a day that is not kept any more no
 * score is known, since changes after it have been deleted.
 *
 * The causes are the steps from there to now. From the recorded roll-up to that of the scores of that moment with today's
 * weights it is the rules, if the weights have changed; a move, if something was moved to the name of the application,
 * since its scores may have come with it; otherwise nothing that is known. From there to the roll-up with the waivers of
 * now it is the waivers. From there to now it is what rules and merges added to scores since, and reports.
 *
 * What reports changed is read only of applications whose weights or waivers are not those of the day, or to whose name
 * something was moved: of the others, the first two steps are none.
 *
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a day in the future
 */
export async function readChanges(
  { database, engine, historyDays, sources }: ChangesSources,
  { since, filter }: ChangesQuestion,
): Promise<Changes> {
  const { asOf, apps } = await sources.rollUps.read(filter);
  const oldest = oldestKept(asOf, historyDays);
  const usual = dayBefore(asOf, usualDays);
  const day = since ?? (oldest !== undefined && oldest > usual ? oldest : usual);
  requirePast(day, asOf);
  if (oldest === undefined || day < oldest) {
    return { asOf, day, apps: apps.map((app) => ({ ...namesOf(app), ...unknown(app) })), now: apps };
  }
  const then = await sources.days.read(day, filter);
  const recorded = new Map((await then.apps()).map((app) => [idOf(app), app]));
  const weights = weightsOf(engine.scorecards);
  return readSnapshot(database, database.reads, async (lines) => {
    const waiversOf = await readWaivers(lines, new Date(`${day}T00:00:00Z`));
    const isMoved = await readMoved(lines, midnight(day));
    const read = (some: readonly App[], isWhole: boolean) =>
      readLaterChanges(lines, engine, { day, asOf, targets: some.map(({ target }) => target), isWhole });
    const isAlike = (app: App) =>
      recorded.get(app.id)?.weights === weights && !isMoved(app) && areSame(app.waivers, waiversOf(app));
    const whole = new Set(apps.filter((app) => !isAlike(app)));
    const alike = await read(
      apps.filter((app) => !whole.has(app)),
      false,
    );
    const others = await read([...whole], true);
    const compared: AppChange[] = [];
    for (const app of apps) {
      await slice();
      const past: Past = {
        recorded: recorded.get(app.id),
        isReweighted: recorded.get(app.id)?.weights !== weights,
        isMoved: isMoved(app),
        waivers: waiversOf(app),
        later: (whole.has(app) ? others : alike).get(app.target) ?? [],
        isWhole: whole.has(app),
      };
      compared.push({ ...namesOf(app), ...compare(app, past, engine) });
    }
    return { asOf, day, apps: compared, now: apps };
  });
}

/** The names of an application, without what else is known of it. */
export function namesOf({ area, team, app, env }: Target): Target {
  return { area, team, app, env };
}

/** The changes of an application whose past is unknown. */
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
  /** Was it made with other weights than today's? */
  readonly isReweighted: boolean;
  /** May it have values of another application since? */
  readonly isMoved: boolean;
  /** Those in force at that moment. */
  readonly waivers: readonly ScoreWaiver[];
  readonly later: readonly (LaterChange | undefined)[];
  /** Were all changes of its scores read? */
  readonly isWhole: boolean;
}

/** By how much the steps of scores are made smaller to roll them up, since a roll-up ends at 100 and their sum may not. */
const stepScale = 100;

function compare(
  { score, metricScores, waivers }: App,
  { recorded, isReweighted, isMoved, waivers: before, later, isWhole }: Past,
  { scorecards }: Engine,
): Omit<AppChange, keyof Target> {
  const waived = waivedInOrder(scorecards, waivers);
  /** The age of results makes no difference to a score. */
  const rollUp = (scoreOf: (index: number, now: number) => number | undefined, by = waived) => {
    const results = metricScores.map((one, index) => {
      const score = one && scoreOf(index, one.score);
      return score === undefined ? undefined : { score, reported_at: 0 };
    });
    return rollUpInOrder(scorecards, results, new Date(0), by)?.score;
  };
  const former = (index: number, now: number) => (later[index] ? later[index].former : now);
  const atMidnight = isWhole ? rollUp(former, waivedInOrder(scorecards, before)) : recorded?.score;
  const since = recorded?.score ?? atMidnight;
  if (since === undefined) return unknown({ score });
  const reweighted = atMidnight ?? since;
  const rewaived = isWhole && atMidnight !== undefined ? (rollUp(former) ?? reweighted) : reweighted;
  const added = (cause: "rules" | "move") =>
    later.some((one) => one?.[cause])
      ? (rollUp((index) => (later[index]?.[cause] ?? 0) / stepScale) ?? 0) * stepScale
      : 0;
  const step = reweighted - since;
  const known = {
    rules: exact(added("rules") + (isReweighted ? step : 0)),
    waiver: exact(rewaived - reweighted),
    move: exact(added("move") + (isMoved && !isReweighted ? step : 0)),
    other: exact(isMoved || isReweighted ? 0 : step),
  };
  const change = exact(score - since);
  // What is left is by reports. To subtract from the rounded difference keeps the sum exact.
  const report = exact(change - known.rules - known.waiver - known.move - known.other);
  return { score_since: since, score, change, causes: { report, ...known } };
}

/** Without the noise of floating-point numbers, which would show a cause where there is none. */
function exact(points: number): number {
  return Math.round(points * 1e9) / 1e9 + 0;
}
