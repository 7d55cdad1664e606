import type { AppliesRule, WeighedScorecard } from "@maturity/core";
import { scorerOf } from "@maturity/core/wire";
import type { Knex } from "knex";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { firstPolicy, insertPolicy, lastPolicy, lockPolicies, policyAt } from "../store/policies.ts";
import { subjectOf, textOfRule } from "./applies.ts";
import type { Policy, Rules } from "./rules.ts";
import { levelFrom, type WrittenLevel, writtenLevel } from "./written-level.ts";

/** Rules as the store has them. They are complete, so they do not depend on the packages that are installed now. */
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
  /** Absent if there are none. */
  readonly applies?: readonly AppliesRule[];
  /** The package of each scorecard with its version, for the audit alone. Absent where no start recorded them. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** A setting that differs; null where there is none. */
export interface ChangedSetting {
  /**
   * Its path in a policy file, such as `weights.metrics.security.sast` or `levels.gold.min_score`; of the package of a
   * scorecard `packages.security`.
   */
  readonly setting: string;
  readonly from: Setting;
  readonly to: Setting;
}

type Setting = number | string | null;

/**
 * Records the rules in force, with an entry in the audit if they or the packages of their scorecards differ from the last.
 *
 * @param file the path of the policy; undefined without a policy
 * @param new_scorecards what scorecards that are loaded for the first time do, for the audit
 * @returns the settings that changed
 */
export async function recordRules(
  { background }: Database,
  rules: Rules,
  {
    actor,
    file,
    ...noted
  }: { readonly actor: string; readonly file: string | undefined; readonly new_scorecards?: object },
): Promise<readonly ChangedSetting[]> {
  const packages = Object.fromEntries(rules.scorecards.map((scorecard) => [scorecard.name, scorerOf(scorecard)]));
  const now: RecordedRules = { ...recordedOf(rules), packages };
  return background.transaction(async (trx) => {
    await lockPolicies(trx);
    const former = await lastPolicy<RecordedRules>(trx);
    const changes = [...changesBetween(former?.policy, now), ...otherPackages(former?.policy.packages, packages)];
    // Without packages in the last record, nothing would ever show that they changed.
    if (changes.length > 0 || !former?.policy.packages) await insertPolicy(trx, now);
    if (changes.length === 0) return changes;
    await recordAudit(trx, {
      actor,
      action: "policy.load",
      target: {},
      details: { file: file ?? null, changes, ...noted },
    });
    return changes;
  });
}

/** Recorded rules, whatever packages are installed now. */
export type FormerRules = Omit<Rules, "scorecards"> & { readonly scorecards: readonly WeighedScorecard[] };

/** The recorded rules that are in force. */
export interface RulesInForce extends FormerRules {
  /** The time at which they were recorded. */
  readonly since: Date;
  readonly record: RecordedRules;
}

/** The rules that the last start recorded; undefined before the first start. */
export async function readRulesInForce({ reads }: Database): Promise<RulesInForce | undefined> {
  const last = await lastPolicy<RecordedRules>(reads);
  if (!last) return undefined;
  const { policy: record, loadedAt: since } = last;
  return { ...rulesOf(record), since, record };
}

/**
 * The rules that were in force at the first moment of a day, or else the first that were recorded; undefined before the
 * first start.
 */
export async function readRulesAt(knex: Knex, day: string): Promise<FormerRules | undefined> {
  const record = (await policyAt<RecordedRules>(knex, day)) ?? (await firstPolicy<RecordedRules>(knex));
  return record && rulesOf(record);
}

function rulesOf({ scorecards, levels, applies = [] }: RecordedRules): FormerRules {
  return {
    scorecards: scorecards.map(({ metrics, ...scorecard }) => ({
      ...scorecard,
      metrics: metrics.map(({ max_age_hours, ...metric }) => ({
        ...metric,
        ...(max_age_hours !== null && { maxAgeHours: max_age_hours }),
      })),
    })),
    levels: levels.map(levelFrom),
    applies,
  };
}

/** A policy of recorded rules, to apply to the installed scorecards. A metric that the record lacks keeps its declared values. */
export function policyOf({ scorecards, levels, applies = [] }: RecordedRules): Policy {
  const metrics = scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ ...metric, name: `${name}.${metric.name}` })),
  );
  return {
    weights: Object.fromEntries([...scorecards, ...metrics].map(({ name, weight }) => [name, weight])),
    maxAgeHours: Object.fromEntries(metrics.map(({ name, max_age_hours }) => [name, max_age_hours])),
    levels: levels.map(levelFrom),
    applies,
  };
}

/** The settings that differ between two sets of rules, in the order of the later rules. */
export function changesBetween(former: RecordedRules | undefined, now: RecordedRules): ChangedSetting[] {
  const [from, to] = [settingsOf(former), settingsOf(now)];
  const names = [...new Set([...to.keys(), ...from.keys()])];
  return names
    .map((setting) => ({ setting, from: from.get(setting) ?? null, to: to.get(setting) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** The packages of scorecards that have another version, whose curves may score the same result otherwise. */
function otherPackages(
  former: RecordedRules["packages"] = {},
  now: NonNullable<RecordedRules["packages"]>,
): ChangedSetting[] {
  return Object.entries(now).flatMap(([scorecard, to]) => {
    const from = Object.hasOwn(former, scorecard) ? former[scorecard] : undefined;
    return from === undefined || from === to ? [] : [{ setting: `packages.${scorecard}`, from, to }];
  });
}

/** Rules in the form in which the store records them. */
export function recordedOf({ scorecards, levels, applies }: Rules): RecordedRules {
  return {
    scorecards: scorecards.map(({ name, weight, metrics }) => ({
      ...{ name, weight },
      metrics: metrics.map(({ name, weight, maxAgeHours }) => ({ name, weight, max_age_hours: maxAgeHours ?? null })),
    })),
    levels: levels.map(writtenLevel),
    ...(applies.length > 0 && { applies }),
  };
}

function settingsOf(
  { scorecards, levels, applies = [] }: RecordedRules = { scorecards: [], levels: [] },
): Map<string, Setting> {
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
      ...Object.entries(scorecards).map(
        ([scorecard, value]) => [`levels.${name}.scorecards.${scorecard}`, value] as const,
      ),
      ...Object.entries(metrics).map(([metric, value]) => [`levels.${name}.metrics.${metric}`, value] as const),
    ]),
    ...[...Map.groupBy(applies, subjectOf)].map(
      ([subject, rules]) => [`applies.${subject}`, rules.map(textOfRule).join(" and ")] as const,
    ),
  ]);
}
