import type { Level, Scorecard, WeighedScorecard } from "@maturity/core";
import { hasCode, OperatorError } from "../model/errors.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { insertPolicy, lastPolicy, lockPolicies } from "../store/policies.ts";
import type { Policy, Rules } from "./rules.ts";
import { levelFrom, type WrittenLevel, writtenLevel } from "./written-level.ts";

/** Rules as the store has them: whole, so that what was in force then is known whatever packages are installed now. */
export interface RecordedRules {
  readonly scorecards: readonly {
    readonly name: string;
    readonly weight: number;
    readonly metrics: readonly {
      readonly name: string;
      readonly weight: number;
      readonly max_age_hours: number | null;
    }[];
  }[];
  readonly levels: readonly WrittenLevel[];
}

/** A setting that differs; null where there is none. */
export interface ChangedSetting {
  /** As in the file of a policy, such as `weights.metrics.security.sast` or `levels.gold.min_score`. */
  readonly setting: string;
  readonly from: Setting;
  readonly to: Setting;
}

type Setting = number | string | null;

/**
 * Records the rules in force, and audits that they were loaded, if they differ from those recorded last. So however many
 * instances start with them, it is recorded once.
 *
 * @param file of the policy, or undefined without one
 * @returns what changed
 */
export async function recordRules(
  { background }: Database,
  rules: Rules,
  { actor, file }: { readonly actor: string; readonly file: string | undefined },
): Promise<readonly ChangedSetting[]> {
  const now = recordedOf(rules);
  return background.transaction(async (trx) => {
    await lockPolicies(trx);
    const former = await lastPolicy<RecordedRules>(trx);
    const changes = changesBetween(former?.policy, now);
    if (changes.length === 0) return changes;
    await insertPolicy(trx, now);
    await recordAudit(trx, { actor, action: "policy.load", target: {}, details: { file: file ?? null, changes } });
    return changes;
  });
}

/** The rules of a record. */
export interface RulesInForce {
  /** As they were then, whatever packages are installed now. */
  readonly scorecards: readonly WeighedScorecard[];
  readonly levels: readonly Level[];
  /** Since when. */
  readonly since: Date;
  readonly record: RecordedRules;
}

/**
 * The rules that the last start recorded; undefined before the first one.
 *
 * @throws OperatorError if the schema is of a version before
 */
export async function readRulesInForce({ reads }: Database): Promise<RulesInForce | undefined> {
  const last = await lastPolicy<RecordedRules>(reads).catch((error: unknown) => {
    throw hasCode(error, "42P01")
      ? new OperatorError("the database is of an older version: start this one on it")
      : error;
  });
  if (!last) return undefined;
  const { policy: record, loadedAt: since } = last;
  const scorecards = record.scorecards.map(({ metrics, ...scorecard }) => ({
    ...scorecard,
    metrics: metrics.map(({ max_age_hours, ...metric }) => ({
      ...metric,
      ...(max_age_hours !== null && { maxAgeHours: max_age_hours }),
    })),
  }));
  return { scorecards, levels: record.levels.map(levelFrom), since, record };
}

/** The rules of a record, for the scorecards that are registered now. What the record lacks is as it is declared. */
export function policyOf({ scorecards, levels }: RecordedRules): Policy {
  const metrics = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ ...metric, name: `${name}.${metric.name}` })),
  );
  return {
    weights: Object.fromEntries([...scorecards, ...metrics].map(({ name, weight }) => [name, weight])),
    maxAgeHours: Object.fromEntries(metrics.map(({ name, max_age_hours }) => [name, max_age_hours])),
    levels: levels.map(levelFrom),
  };
}

/** What differs between rules, in the order of the later ones. */
export function changesBetween(former: RecordedRules | undefined, now: RecordedRules): ChangedSetting[] {
  const [from, to] = [settingsOf(former), settingsOf(now)];
  const names = [...new Set([...to.keys(), ...from.keys()])];
  return names
    .map((setting) => ({ setting, from: from.get(setting) ?? null, to: to.get(setting) ?? null }))
    .filter((one) => one.from !== one.to);
}

export function recordedOf({ scorecards, levels }: Rules): RecordedRules {
  return { scorecards: scorecards.map(recordedScorecard), levels: levels.map(writtenLevel) };
}

function recordedScorecard({ name, weight, metrics }: Scorecard): RecordedRules["scorecards"][number] {
  return {
    name,
    weight,
    metrics: metrics.map(({ name, weight, maxAgeHours }) => ({ name, weight, max_age_hours: maxAgeHours ?? null })),
  };
}

function settingsOf({ scorecards, levels }: RecordedRules = { scorecards: [], levels: [] }): Map<string, Setting> {
  return new Map<string, Setting>([
    ...scorecards.map(({ name, weight }) => [`weights.scorecards.${name}`, weight] as const),
    ...scorecards.flatMap(({ name, metrics }) =>
      metrics.flatMap((metric) => [
        [`weights.metrics.${name}.${metric.name}`, metric.weight] as const,
        [`max_age_hours.${name}.${metric.name}`, metric.max_age_hours] as const,
      ]),
    ),
    ...levels.flatMap(({ name, scorecards = {}, metrics = {}, ...conditions }, index) => [
      [`levels.${name}.rank`, index + 1] as const,
      ...Object.entries(conditions).map(([condition, value]) => [`levels.${name}.${condition}`, value] as const),
      ...Object.entries(scorecards).map(([of, value]) => [`levels.${name}.scorecards.${of}`, value] as const),
      ...Object.entries(metrics).map(([of, value]) => [`levels.${name}.metrics.${of}`, value] as const),
    ]),
  ]);
}
