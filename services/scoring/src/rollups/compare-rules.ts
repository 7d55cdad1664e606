import type { Target } from "@maturity/core";
import type { AppName } from "../model/app-name.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { type ChangedApps, changedApps } from "./changed-apps.ts";
import { type ComparedApp, createComparison } from "./compared-apps.ts";
import type { Judged } from "./exemptions.ts";
import { registryKey } from "./registered-apps.ts";
import type { RollUpRules } from "./rules.ts";
import { readStoredScores } from "./stored-scores.ts";

/** The metrics, as `scorecard.metric`, of which an application begins or ceases to be exempt. */
export interface ExemptedApp extends Target {
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

/** The effect of other rules on the applications. */
export interface RulesEffect extends ChangedApps {
  /** The applications that begin or cease to be exempt from anything, also those whose score stays. */
  readonly exempted: readonly ExemptedApp[];
}

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
      return effectOf(comparison.compare(context));
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
      return effectOf(comparison.compare({ ...context, registrationAfter }));
    },
    "none",
  );
}

function effectOf(compared: Iterable<ComparedApp>): RulesEffect {
  const exempted: ExemptedApp[] = [];
  return { ...changedApps(noting(compared, exempted)), exempted };
}

/** Passes the applications on, and notes those whose exemptions differ. */
function* noting(compared: Iterable<ComparedApp>, exempted: ExemptedApp[]): Generator<ComparedApp> {
  for (const app of compared) {
    const { area, team, app: name, env, exempt } = app;
    const begins = exempt.to.filter((metric) => !exempt.from.includes(metric));
    const ends = exempt.from.filter((metric) => !exempt.to.includes(metric));
    if (begins.length + ends.length > 0) exempted.push({ area, team, app: name, env, begins, ends });
    yield app;
  }
}
