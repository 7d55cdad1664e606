import type { AppName } from "../model/app-name.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { changedApps, type RulesEffect } from "./changed-apps.ts";
import { createComparison } from "./compared-apps.ts";
import type { Judged } from "./exemptions.ts";
import { registryKey } from "./registered-apps.ts";
import type { RollUpRules } from "./rules.ts";
import { readStoredScores } from "./stored-scores.ts";

/** Compares the applications under two sets of rules, on one snapshot. */
export function compareRules(database: Database, before: RollUpRules, after: RollUpRules): Promise<RulesEffect> {
  return readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const comparison = createComparison(before, after);
      const context = await readStoredScores(lines, {}, ({ score, ...stored }) =>
        comparison.take({ ...stored, from: score, to: score }),
      );
      return changedApps(comparison.compare(context));
    },
    "none",
  );
}

/**
 * Compares the applications with other tiers and labels, on one snapshot.
 *
 * @param registered what is to be registered, by the current names; applications of other names are left out
 */
export function compareRegistrations(
  database: Database,
  rules: RollUpRules,
  registered: readonly (AppName & Judged)[],
): Promise<RulesEffect> {
  const after = new Map(registered.map((app) => [registryKey(app), app]));
  const namesOf = (field: keyof AppName) => [...new Set(registered.map((app) => app[field]))];
  return readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const comparison = createComparison(rules, rules);
      const filter = { area: namesOf("area"), team: namesOf("team"), app: namesOf("app") };
      const context = await readStoredScores(lines, { filter }, ({ score, ...stored }) => {
        if (after.has(registryKey(stored))) comparison.take({ ...stored, from: score, to: score });
      });
      const registrationAfter = (target: AppName) => after.get(registryKey(target));
      return changedApps(comparison.compare({ ...context, registrationAfter }));
    },
    "none",
  );
}
