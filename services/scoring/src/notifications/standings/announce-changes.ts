import type { Fact, FactStore } from "../../model/fact.ts";
import { readOrganisation } from "../../rollups/organisation.ts";
import type { RollUpRules } from "../../rollups/rules.ts";
import { type Database, primaryOf } from "../../store/database.ts";
import { holdComparison, readKnownLevels, storeKnownLevels } from "../../store/known-levels.ts";
import { readSnapshot } from "../../store/lines.ts";
import { readChanges, takeChanges } from "../../store/reported-changes.ts";
import { yieldToEventLoop } from "../../store/slices.ts";
import { createStoryFinder, type Judged } from "./story.ts";

/** What watching scores and levels takes. */
export interface WatchDependencies {
  readonly database: Database;
  readonly rules: RollUpRules;
  /** The id of the recorded rules that these are. */
  readonly policy: number;
  readonly facts: FactStore;
  readonly signal: AbortSignal;
}

/**
 * Stores the facts that follow from the scores that submissions changed, each once, whichever instance looks. Only the
 * applications concerned are read.
 *
 * @returns how many facts this process has stored
 */
export async function announceChanges(deps: WatchDependencies): Promise<number> {
  let announced = 0;
  for (;;) {
    deps.signal.throwIfAborted();
    const stored = await announceNext(deps);
    if (stored === undefined) return announced;
    announced += stored;
  }
}

/** @returns undefined if nothing is left, or another instance does it */
async function announceNext({ database, rules, policy, facts }: WatchDependencies): Promise<number | undefined> {
  const primary = primaryOf(database);
  const next = await readSnapshot(primary, primary.reads, async (lines) => {
    const changes = await readChanges(lines);
    if (changes.length === 0) return undefined;
    const targets = [...new Set(changes.map(({ target }) => target))].join(", ");
    const which = `(area, team, app) IN (
      SELECT area, team, app FROM applications
      WHERE applications.id IN (SELECT application_id FROM targets WHERE targets.id IN (${targets}))
    )`;
    const { asOf, apps, unscored } = await readOrganisation(lines, rules, which);
    const known = await readKnownLevels(lines, `target_id IN (${targets})`);
    return { changes, asOf, apps: [...apps, ...unscored], known };
  });
  if (!next) return undefined;
  const storyOf = createStoryFinder(rules);
  const changesOf = Map.groupBy(next.changes, ({ target }) => target);
  const [found, levels]: [Fact[], Map<number, number>] = [[], new Map()];
  for (const app of next.apps) {
    await yieldToEventLoop();
    const own = changesOf.get(app.target);
    if (!own || app.env === null) continue; // another environment of it
    const story = storyOf(app as Judged, own, next.asOf, next.known.get(app.target));
    found.push(...story.facts);
    levels.set(app.target, story.rank);
  }
  return database.background.transaction(async (trx) => {
    if (!(await holdComparison(trx, policy))) return undefined;
    if (!(await takeChanges(trx, next.changes))) return 0; // and look again
    await facts.store(trx, found);
    await storeKnownLevels(trx, levels);
    return found.length;
  });
}
