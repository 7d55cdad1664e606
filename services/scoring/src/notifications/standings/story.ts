import { metricIds } from "@maturity/core/wire";
import type { Fact } from "../../model/fact.ts";
import { createStandingFinder, type Standing } from "../../rollups/app-levels.ts";
import type { App, UnscoredApp } from "../../rollups/organisation.ts";
import type { RollUpRules } from "../../rollups/rules.ts";
import type { ReportedChange } from "../../store/reported-changes.ts";

/** The least fall of an application's score by one submission that is announced, in points. */
const announcedFall = 10;

/** Sums in another order may round otherwise. */
const tolerance = 1e-9;

/** An application in one of its environments, with what is stored of it. */
export type Judged = (App | UnscoredApp) & { readonly env: string };

/** What happened to an application. */
export interface Story {
  readonly facts: readonly Fact[];
  /** The rank of its level at the end; 0 without one. */
  readonly rank: number;
}

/**
 * Makes a function that finds what follows from the changed scores of an application: it goes back from what is stored, one
 * submission after the other, and compares the application's score and level before and after each.
 *
 * The function takes the application, its changes in their order, and the rank that was known before; without one, the
 * level before the first change counts as known.
 */
export function createStoryFinder(rules: RollUpRules) {
  const indexes = new Map(metricIds(rules.scorecards).map((name, index) => [name, index]));
  const standingOf = createStandingFinder(rules);

  return (app: Judged, changes: readonly ReportedChange[], asOf: Date, known: number | undefined): Story => {
    // An application without results has no list of them.
    const scores = [...indexes.values()].map((index) => app.metricScores.at(index));
    const reports = [...Map.groupBy(changes, ({ transaction }) => transaction).values()];
    let after = standingOf(app, scores, asOf);
    const steps = reports
      .toReversed()
      .map((changed) => {
        for (const { metric, former, formerAt } of changed.toReversed()) {
          const index = indexes.get(metric ?? "");
          if (index !== undefined)
            scores[index] = former === null ? undefined : { score: former, reported_at: formerAt };
        }
        const step = { changed, before: standingOf(app, scores, asOf), after };
        after = step.before;
        return step;
      })
      .toReversed();
    const facts: Fact[] = [];
    let rank = known ?? after.level?.rank ?? 0;
    for (const { changed, before, after } of steps) {
      const isSilent = changed.every((change) => change.isSilent);
      const reached = after.level?.rank ?? 0;
      if (!isSilent) {
        if (isDrop(before, after)) facts.push(droppedFact(app, changed, before, after));
        if (reached !== rank) facts.push(levelFactOf(app, rules.levels[rank - 1]?.name ?? null, rank, after));
      }
      rank = reached;
    }
    return { facts, rank };
  };
}

function isDrop(before: Standing, after: Standing): boolean {
  if (before.score === undefined || after.score === undefined || after.score >= before.score) return false;
  const hasLost = (after.level?.rank ?? 0) < (before.level?.rank ?? 0);
  return hasLost || before.score - after.score >= announcedFall - tolerance;
}

/** All facts about the standing of an application have one subject, so the later ones reply to the first. */
function factOf(type: Fact["type"], { target, area, team, app, env }: Judged, data: Fact["data"]): Fact {
  return { type, subject: `app@${target}`, area, team, app, env, severity: null, data };
}

function droppedFact(app: Judged, changed: readonly ReportedChange[], before: Standing, after: Standing): Fact {
  const metrics = changed.flatMap(({ metric, former, score }) =>
    metric === null ? [] : [{ metric, from: former, to: score }],
  );
  const levels = { level_from: before.level?.name ?? null, level_to: after.level?.name ?? null };
  return factOf("score.dropped", app, { from: before.score, to: after.score, ...levels, metrics });
}

function levelFactOf(app: Judged, from: string | null, rank: number, { score, level }: Standing): Fact {
  const type = (level?.rank ?? 0) < rank ? "level.lost" : "level.reached";
  return factOf(type, app, { from, to: level?.name ?? null, score: score ?? null, next: level?.next ?? null });
}
