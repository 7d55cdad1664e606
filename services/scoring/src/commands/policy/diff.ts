import { createEngine, type Target } from "@maturity/core";
import { hasCode } from "../../model/errors.ts";
import { noLevel } from "../../model/level.ts";
import { loadRules } from "../../policy/load.ts";
import {
  type ChangedSetting,
  changesBetween,
  policyOf,
  type RecordedRules,
  recordedOf,
} from "../../policy/recorded.ts";
import { applyPolicy, type Rules } from "../../policy/rules.ts";
import { type App, createOrganisationReading } from "../../rollups/organisation.ts";
import type { Database } from "../../store/database.ts";
import { readSnapshot } from "../../store/lines.ts";
import { lastPolicy } from "../../store/policies.ts";
import { CommandError } from "../command.ts";
import { printable } from "../print.ts";
import { table } from "../table.ts";
import { declaredScorecards } from "./check.ts";

/** An application whose score or level differs. */
interface Moved extends Target {
  readonly score: { readonly from: number; readonly to: number };
  /** Null without a level. */
  readonly level: { readonly from: string | null; readonly to: string | null };
  /** The first condition that keeps it from the next level then; null on the highest. */
  readonly unmet: string | null;
  /** How many levels it rises; below 0 if it falls. */
  readonly rise: number;
}

/** What a policy would change. */
export interface PolicyDiff {
  /** Since when the policy in force is; null if no start has recorded one. */
  readonly in_force_since: Date | null;
  readonly settings: readonly ChangedSetting[];
  /** The number of all applications. */
  readonly applications: number;
  /** Those that fall by levels first, then by how far the score moves. */
  readonly changed: readonly Moved[];
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
  const last = await lastPolicy<RecordedRules>(database.reads).catch((error: unknown) => {
    throw hasCode(error, "42P01")
      ? new CommandError("the database is of an older version: start this one on it")
      : error;
  });
  const now = last ? applyPolicy(declared, policyOf(last.policy)) : await loadRules(env.POLICY || undefined, declared);
  const [before, after] = await readBoth(database, now, later);
  const diff: PolicyDiff = {
    in_force_since: last?.loadedAt ?? null,
    settings: changesBetween(recordedOf(now), recordedOf(later)),
    applications: before.length,
    changed: movedBetween(before, after),
  };
  return format === "json" ? `${JSON.stringify(diff, null, 2)}\n` : textOf(diff, file);
}

/** The applications under both rules, at the same moment. */
function readBoth(database: Database, now: Rules, later: Rules): Promise<[readonly App[], readonly App[]]> {
  return readSnapshot(database, database.reads, async (lines) => {
    const { asOf, apps } = await createOrganisationReading(createEngine(now.scorecards), now.levels)(lines);
    const after = await createOrganisationReading(createEngine(later.scorecards), later.levels)(lines, asOf);
    return [apps, after.apps];
  });
}

/** Scores that differ by less are the same: sums of other weights may round otherwise. */
const tolerance = 1e-9;

function movedBetween(before: readonly App[], after: readonly App[]): Moved[] {
  const byId = new Map(after.map((app) => [app.id, app]));
  return before
    .flatMap((from): Moved[] => {
      const to = byId.get(from.id);
      if (!to) return [];
      const level = { from: from.level?.name ?? null, to: to.level?.name ?? null };
      if (Math.abs(to.score - from.score) < tolerance && level.from === level.to) return [];
      const { area, team, app, env } = from;
      const score = { from: from.score, to: to.score };
      const rise = (to.level?.rank ?? 0) - (from.level?.rank ?? 0);
      return [{ area, team, app, env, score, level, unmet: to.level?.next?.unmet ?? null, rise }];
    })
    .sort((a, b) => a.rise - b.rise || Math.abs(b.score.to - b.score.from) - Math.abs(a.score.to - a.score.from));
}

/** Most applications that the text lists. */
const maxListed = 50;

function textOf({ in_force_since, settings, applications, changed }: PolicyDiff, file: string): string {
  const since = in_force_since ? `in force since ${in_force_since.toISOString().slice(0, 19)}Z` : "of the settings";
  if (settings.length === 0) return `The policy ${file} is the one ${since}.\n`;
  const count = (holds: (one: Moved) => boolean) => changed.filter(holds).length;
  const [up, down] = [count(({ rise }) => rise > 0), count(({ rise }) => rise < 0)];
  const moved = count(({ score }) => Math.abs(score.to - score.from) >= tolerance);
  const rows = changed.slice(0, maxListed).map(cells);
  const more = changed.length - rows.length;
  return [
    `Compared with the policy ${since}:\n\n`,
    table([["SETTING", "FROM", "TO"], ...settings.map(settingCells)]),
    `\nOf ${applications} applications ${moved} get another score; ${up} rise to a higher level, ${down} fall to a lower one.\n`,
    ...(rows.length > 0 ? ["\n", table([["APP", "SCORE", "LEVEL", "NEXT"], ...rows])] : []),
    ...(more > 0 ? [`and ${more} more; --format json lists them all\n`] : []),
  ].join("");
}

function cells({ area, team, app, env, score, level, unmet }: Moved): string[] {
  const levels = level.from === level.to ? (level.to ?? noLevel) : `${level.from ?? noLevel} -> ${level.to ?? noLevel}`;
  return [
    printable(`${area}/${team}/${app} (${env})`),
    `${score.from.toFixed(2)} -> ${score.to.toFixed(2)}`,
    printable(levels),
    printable(unmet ?? "-"),
  ];
}

function settingCells({ setting, from, to }: ChangedSetting): string[] {
  const nothing = setting.startsWith("max_age_hours.") ? "never" : "-";
  const shown = (value: unknown) => (value === null ? nothing : String(value));
  return [setting, shown(from), shown(to)].map(printable);
}
