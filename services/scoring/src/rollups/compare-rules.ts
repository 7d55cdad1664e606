import { type AppName, appKey } from "../model/app-name.ts";
import type { Database } from "../store/database.ts";
import { changedApps, type RulesEffect } from "./changed-apps.ts";
import { createComparison } from "./compared-apps.ts";
import type { Judged } from "./exemptions.ts";
import type { RollUpRules } from "./rules.ts";
import { readStoredScores } from "./stored-scores.ts";

/**
 * Compares the applications under two sets of rules, on one snapshot.
 *
 * @param registered the only ones to compare, by their current names, as they are to be registered afterwards; all by default
 */
export function compareRules(
  database: Database,
  before: RollUpRules,
  after: RollUpRules,
  registered?: readonly (AppName & Judged)[],
): Promise<RulesEffect> {
  const later = registered && new Map(registered.map((app) => [appKey(app), app]));
  const namesOf = (field: keyof AppName) => [...new Set(registered?.map((app) => app[field]))];
  const filter = registered ? { area: namesOf("area"), team: namesOf("team"), app: namesOf("app") } : {};
  const registrationAfter = later && ((target: AppName) => later.get(appKey(target)));
  return readStoredScores(database, { filter }, () => {
    const comparison = createComparison(before, after);
    return {
      take({ score, ...stored }) {
        if (!later || later.has(appKey(stored))) comparison.take({ ...stored, from: score, to: score });
      },
      end: (context) =>
        changedApps(comparison.compare({ ...context, ...(registrationAfter && { registrationAfter }) })),
    };
  });
}
