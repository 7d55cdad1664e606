import type { Engine, Target } from "@maturity/core";
import { isThin, rollUpInOrder } from "@maturity/core/wire";
import { dayBefore, usualDays } from "../lists/time.ts";
import { invalidPayload } from "../model/errors.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { filterKey } from "../rollups/by-filter.ts";
import {
  createExemptions,
  type Excluded,
  type Exemptions,
  excludedOf,
  recordedExemptions,
} from "../rollups/exemptions.ts";
import type { App } from "../rollups/organisation.ts";
import type { PastApp, RecordedDays } from "../rollups/recorded-days.ts";
import { targetId } from "../rollups/reported-apps.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { areSameWaivers, readWaivers, type ScoreWaiver } from "../rollups/waivers.ts";
import { weightsOf } from "../rollups/weights.ts";
import { cacheAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { readSnapshot } from "../store/lines.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { midnight } from "../store/utc.ts";
import { type ChangedSettings, readChangedSettings } from "./changed-settings.ts";
import { type LaterChange, readLaterChanges, readMoveTargets } from "./changes-since.ts";
import { oldestDay } from "./prune.ts";

/** How the score of an application has changed since a day. */
export interface AppChange extends Target {
  /** The score at the first moment of the day; null if there was none, or the history of that day is deleted. */
  readonly score_since: number | null;
  readonly score: number;
  /** Whether that is thin. */
  readonly thin: boolean;
  /** The difference; null if there is nothing to compare with. */
  readonly change: number | null;
  /** The part of each cause in the difference. */
  readonly causes: Readonly<Record<Cause, number>> | null;
  /** What made the parts `rules` and `policy`: packages with their versions, and settings with their values. */
  readonly moved_by: readonly string[];
}

/**
 * `report`: other results; `rules`: other scorers or weights; `waiver`: other waivers; `policy`: metrics that the
 * policy exempts now or exempted then; `move`: another application merged
 * into it; `other`: what none of these explains.
 */
export const causes = ["report", "rules", "waiver", "policy", "move", "other"] as const;

export type Cause = (typeof causes)[number];

/** The changes of all applications that match a filter. */
export interface Changes {
  /** By the database's clock. */
  readonly asOf: Date;
  readonly day: string;
  /** Whether the day is within the history. */
  readonly isKnown: boolean;
  readonly apps: readonly AppChange[];
  /** The current applications, in the same order. */
  readonly now: readonly App[];
}

/** The changes to read. */
export interface ChangesQuestion {
  /** A day in UTC; by default 30 days ago, or the oldest day of the history if that is later. */
  readonly since: string | undefined;
  readonly filter: TargetFilter;
}

/** Reads changes. Those that were read a moment ago are not read again. */
export type ChangesReader = (question: ChangesQuestion) => Promise<Changes>;

export function createChangesReader(sources: ChangesSources): ChangesReader {
  return cacheAnswers(
    (question: ChangesQuestion) => readChanges(sources, question),
    ({ since, filter }) => `${since} ${filterKey(filter)}`,
  );
}

/** The sources of changes. */
export interface ChangesSources extends Pick<OrganisationRules, "applies"> {
  readonly database: Database;
  readonly engine: Engine;
  readonly historyDays: number;
  readonly sources: { readonly rollUps: RollUpReader; readonly days: RecordedDays };
}

/**
 * Compares each application with itself at the first moment of a day. The former score is the recorded roll-up, or
 * where the day is not recorded the roll-up of the scores of that moment by today's weights. Before the oldest day of the
 * history no score is known, because later changes are deleted.
 *
 * The difference is split in this order:
 *
 * - from the recorded roll-up to today's weights: `rules` if the weights changed, else `move` if something was moved to
 *   the name of the application, else `other`;
 * - to what the policy exempts today: `policy`. Without a recorded roll-up, today's policy says what was exempt then;
 * - to today's waivers: `waiver`;
 * - by the changes of scores since: `rules`, `move` for merges, and `report` for the rest.
 *
 * Changes by submissions are read only of applications for which one of the first three may differ from 0.
 *
 * @param at a later moment of the day, whose scores are compared instead: but for those of applications whose weights, waivers
 * or exemptions have changed since the day began, or that something was moved to
 * @throws ServiceError `store-unavailable`; `invalid-payload` for a day in the future
 */
export async function readChanges(
  { database, engine, applies = [], historyDays, sources }: ChangesSources,
  { since, filter }: ChangesQuestion,
  at?: Date,
): Promise<Changes> {
  const { asOf, apps } = await sources.rollUps.read(filter);
  const today = dayBefore(asOf, 0);
  const oldest = await orStoreError(oldestDay(database.reads, asOf, historyDays));
  const usual = dayBefore(asOf, usualDays);
  const day = since ?? ([usual, oldest ?? usual, today].sort()[1] as string);
  if (day > today)
    throw invalidPayload([{ path: "since", message: `must not be in the future; today is ${today} in UTC` }]);
  if (oldest === undefined || day < oldest) {
    const changes = apps.map((app) => ({ ...shownOf(app), ...unknown(app) }));
    return { asOf, day, isKnown: false, apps: changes, now: apps };
  }
  const past = await sources.days.read(day, filter);
  const recorded = new Map((await past.apps()).map((app) => [targetId(app), app]));
  const weights = weightsOf(engine.scorecards);
  const settings = await readChangedSettings(database, day);
  return readSnapshot(database, database.reads, async (lines) => {
    const then = new Date(`${day}T00:00:00Z`);
    const waiversOf = await readWaivers(lines, then);
    const exemptionsThen = createExemptions({ scorecards: engine.scorecards, applies }, then);
    const isMoved = await readMoveTargets(lines, midnight(day));
    const read = (selected: readonly App[], isWhole: boolean, since = then) =>
      readLaterChanges(lines, engine, { since, asOf, targets: selected.map(({ target }) => target), isWhole });
    const isAlike = (app: App) => {
      const before = recorded.get(app.id);
      const exempt = before ? before.exemptMetrics : exemptionsThen(app.env, app.registration).metrics;
      const hasRules = before ? before.weights === weights : at !== undefined;
      const isExemptAlike = exempt === app.exemptions.metrics;
      return hasRules && isExemptAlike && !isMoved(app) && areSameWaivers(app.waivers, waiversOf(app));
    };
    const whole = new Set(apps.filter((app) => !isAlike(app)));
    const alike = await read(
      apps.filter((app) => !whole.has(app)),
      at !== undefined,
      at,
    );
    const changed = await read([...whole], true);
    const changes: AppChange[] = [];
    for (const app of apps) {
      await yieldToEventLoop();
      const atMidnight = recorded.get(app.id);
      if (!atMidnight && past.isRecorded && !isMoved(app)) {
        changes.push({ ...shownOf(app), ...unknown(app) });
        continue;
      }
      const isAtMidnight = at === undefined || whole.has(app);
      const before: Past = {
        recorded: isAtMidnight ? atMidnight : undefined,
        isReweighted: isAtMidnight && atMidnight?.weights !== weights,
        isMoved: isMoved(app),
        waivers: waiversOf(app),
        exemptions: isAtMidnight ? exemptionsThen(app.env, app.registration) : app.exemptions,
        later: (whole.has(app) ? changed : alike).get(app.target) ?? [],
        isWhole: whole.has(app) || !isAtMidnight,
      };
      changes.push({ ...shownOf(app), ...compare(app, before, engine, settings) });
    }
    return { asOf, day, isKnown: true, apps: changes, now: apps };
  });
}

/** The names of an application, without further fields. */
export function namesOf({ area, team, app, env }: Target): Target {
  return { area, team, app, env };
}

type Shown = Pick<AppChange, keyof Target | "thin">;

function shownOf(app: App): Shown {
  return { ...namesOf(app), thin: isThin(app) };
}

/** The change of an application without a comparable past. */
function unknown({ score }: Pick<App, "score">): Omit<AppChange, keyof Shown> {
  return { score_since: null, score, change: null, causes: null, moved_by: [] };
}

/** The past of an application. */
interface Past {
  /** Its roll-up at the first moment of the day. */
  readonly recorded: PastApp | undefined;
  /** Whether it was computed with other weights than today's. */
  readonly isReweighted: boolean;
  /** Whether it may have scores of another application since. */
  readonly isMoved: boolean;
  /** The waivers in force at that moment. */
  readonly waivers: readonly ScoreWaiver[];
  /** What today's policy exempted it from at that moment. */
  readonly exemptions: Exemptions;
  readonly later: readonly (LaterChange | undefined)[];
  /** Whether all changes of its scores were read. */
  readonly isWhole: boolean;
}

/** The divisor of score changes in a roll-up, which ends at 100, as their sum may not. */
const stepScale = 100;

/** Splits the difference between the past and the present score of an application, as `readChanges` says. */
function compare(
  { score, metricScores, waivers, exemptions }: App,
  { recorded, isReweighted, isMoved, waivers: formerWaivers, exemptions: exemptionsThen, later, isWhole }: Past,
  { scorecards }: Engine,
  settings: ChangedSettings,
): Omit<AppChange, keyof Shown> {
  const isExemptAlike = recorded?.exemptMetrics === exemptions.metrics;
  const recordedThen = () => recorded && recordedExemptions(recorded.exemptMetrics, scorecards);
  const formerExemptions = isExemptAlike ? exemptions : (recordedThen() ?? exemptionsThen);
  /** Rolls scores of metrics up; their age does not matter for a score. */
  const rollUp = (scoreOf: (index: number, now: number) => number | undefined, by: Excluded) => {
    const results = Array.from(metricScores, (one, index) => {
      const score = one && scoreOf(index, one.score);
      return score === undefined ? undefined : { score, reported_at: 0 };
    });
    return rollUpInOrder(scorecards, results, new Date(0), by)?.score;
  };
  /** Rolls the scores of that moment up by today's weights. */
  const rollUpFormer = (exempt: Exemptions, waived: readonly ScoreWaiver[]) =>
    rollUp((index, now) => (later[index] ? later[index].former : now), excludedOf(scorecards, exempt, waived));
  const atMidnight = isWhole ? rollUpFormer(formerExemptions, formerWaivers) : recorded?.score;
  const since = recorded?.score ?? atMidnight;
  if (since === undefined) return unknown({ score });
  const canDiffer = isWhole && atMidnight !== undefined;
  const reweighted = atMidnight ?? since;
  const exempted = (canDiffer ? rollUpFormer(exemptions, formerWaivers) : undefined) ?? reweighted;
  const rewaived = (canDiffer ? rollUpFormer(exemptions, waivers) : undefined) ?? exempted;
  const added = (cause: "rules" | "move") =>
    later.some((one) => one?.[cause])
      ? (rollUp((index) => (later[index]?.[cause] ?? 0) / stepScale, excludedOf(scorecards, exemptions, waivers)) ??
          0) * stepScale
      : 0;
  const byWeights = reweighted - since;
  const known = {
    rules: exact(added("rules") + (isReweighted ? byWeights : 0)),
    waiver: exact(rewaived - exempted),
    policy: exact(exempted - reweighted),
    move: exact(added("move") + (isMoved && !isReweighted ? byWeights : 0)),
    other: exact(isMoved || isReweighted ? 0 : byWeights),
  };
  const change = exact(score - since);
  // The rest is by submissions. Subtracting from the rounded difference keeps the sum exact.
  const report = exact(change - known.rules - known.waiver - known.policy - known.move - known.other);
  const scorers = later.flatMap((one) => (one?.rules && one.scorer !== undefined ? [one.scorer] : []));
  const moved_by = [
    ...(known.rules !== 0 ? new Set(scorers) : []),
    ...(isReweighted && byWeights !== 0 ? settings.weights : []),
    ...(known.policy !== 0 ? settings.applies : []),
  ];
  return { score_since: since, score, change, causes: { report, ...known }, moved_by };
}

/** Rounds away the noise of floating-point numbers, which would show causes that are none. */
function exact(points: number): number {
  return Math.round(points * 1e9) / 1e9 + 0;
}
