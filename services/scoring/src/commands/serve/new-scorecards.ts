import { readRulesInForce } from "../../policy/recorded.ts";
import type { Rules } from "../../policy/rules.ts";
import { isChanged } from "../../rollups/changed-apps.ts";
import { compareRules } from "../../rollups/compare-rules.ts";
import { type Database, primaryOf } from "../../store/database.ts";

/**
 * Finds scorecards that the rules in force lack and that no rule with `from` announces, and what they do to the scores and
 * levels of the applications; undefined if there is none, and at the very first start.
 */
export async function findNewScorecards(database: Database, rules: Rules): Promise<object | undefined> {
  const primary = primaryOf(database); // a replica may be down or behind
  const inForce = await readRulesInForce(primary);
  if (!inForce) return undefined;
  const known = new Set(inForce.scorecards.map(({ name }) => name));
  const today = new Date().toISOString().slice(0, 10);
  const isAnnounced = (name: string) =>
    rules.applies.some(({ scorecard, metric, from }) => {
      return scorecard === name && metric === undefined && from !== undefined && from > today;
    });
  const scorecards = rules.scorecards.map(({ name }) => name).filter((name) => !known.has(name) && !isAnnounced(name));
  if (scorecards.length === 0) return undefined;
  const before = { ...rules, scorecards: rules.scorecards.filter(({ name }) => !scorecards.includes(name)) };
  const { applications, changed } = await compareRules(primary, before, rules);
  return {
    scorecards,
    moved: changed.filter(isChanged).length,
    lose_level: changed.filter(({ rise }) => rise < 0).length,
    applications,
  };
}
