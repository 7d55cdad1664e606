import { loadRules } from "../../policy/load.ts";
import { type ChangedSetting, changesBetween, policyOf, readRulesInForce, recordedOf } from "../../policy/recorded.ts";
import { applyPolicy, type Rules } from "../../policy/rules.ts";
import { type ChangedApps, changedApps } from "../../rollups/changed-apps.ts";
import { createComparison } from "../../rollups/compared-apps.ts";
import { readStoredScores } from "../../rollups/stored-scores.ts";
import type { Database } from "../../store/database.ts";
import { readSnapshot } from "../../store/lines.ts";
import { appsText, settingsTable } from "../changes-text.ts";
import { declaredScorecards } from "./check.ts";

/** What a policy would change. */
export interface PolicyDiff extends ChangedApps {
  /** Since when the policy in force is; null if no start has recorded one. */
  readonly in_force_since: Date | null;
  readonly settings: readonly ChangedSetting[];
}

interface DiffOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly format: "text" | "json";
}

/**
 * Compares a policy with the one in force, on the scores of one snapshot, and tells what would change.
 *
 * @throws ConfigError with every fault of the file
 */
export async function diffPolicy(database: Database, file: string, { env, format }: DiffOptions): Promise<string> {
  const declared = await declaredScorecards(env);
  const later = await loadRules(file, declared);
  const last = await readRulesInForce(database);
  const now = last ? applyPolicy(declared, policyOf(last.record)) : await loadRules(env.POLICY || undefined, declared);
  const diff: PolicyDiff = {
    in_force_since: last?.since ?? null,
    settings: changesBetween(recordedOf(now), recordedOf(later)),
    ...(await compare(database, now, later)),
  };
  return format === "json" ? `${JSON.stringify(diff, null, 2)}\n` : textOf(diff, file);
}

/** Compares the applications at one moment. */
function compare(database: Database, now: Rules, later: Rules): Promise<ChangedApps> {
  return readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const comparison = createComparison(now, later);
      const surroundings = await readStoredScores(lines, {}, ({ score, ...one }) =>
        comparison.take({ ...one, from: score, to: score }),
      );
      return changedApps(comparison.compare(surroundings));
    },
    "none",
  );
}

function textOf({ in_force_since, settings, applications, changed }: PolicyDiff, file: string): string {
  const since = in_force_since ? `in force since ${in_force_since.toISOString().slice(0, 19)}Z` : "of the settings";
  if (settings.length === 0) return `The policy ${file} is the one ${since}.\n`;
  return `Compared with the policy ${since}:\n\n${settingsTable(settings)}\n${appsText({ applications, changed })}`;
}
