import type { Severity, Target } from "@maturity/core";
import type { CampaignGoal } from "../model/campaign.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import { type Lines, quoted } from "../store/lines.ts";
import { readRows } from "../store/text-rows.ts";
import { inForceNow } from "../store/waivers.ts";

/** A goal about problems. */
export type ProblemGoal = Extract<CampaignGoal, { readonly no_open_problems: unknown }>;

/** The problems of an application, as goals ask for them. */
export interface AppProblems {
  /** One of each type; the severity is null where none is open. */
  readonly found: readonly { readonly type: string; readonly severity: Severity | null }[];
  /** The types that are waived. */
  readonly waived: ReadonlySet<string>;
}

/** Finds the problems of an application; undefined for one that has reported nothing. */
export type ProblemsOf = (app: App | UnscoredApp) => AppProblems | undefined;

/** The problems of an application that a goal is about. */
interface CountedProblems {
  /** How many are open, without those that are waived. */
  readonly open: number;
  /** How many are open and waived. */
  readonly waived: number;
  /** Whether the application counts as waived. */
  readonly isWaived: boolean;
}

/**
 * Reads the problems that goals are about, and the waivers of problems: those that are open, of the severities of the goals,
 * and all of the types that goals name, since a clean scan says that an application was scanned.
 */
export async function readGoalProblems(lines: Lines, goals: readonly ProblemGoal[]): Promise<ProblemsOf> {
  const waivers: (Target & { readonly type: string })[] = [];
  const waiverSelect = `SELECT area, team, app, env, problem_type FROM waivers_by_name
    WHERE problem_type IS NOT NULL AND ${inForceNow}`;
  for await (const rows of readRows(lines(waiverSelect))) {
    for (const [area = "", team = "", app = "", env = "", type = ""] of rows)
      waivers.push({ area, team, app, env, type });
  }
  const waiversOf = waiversByScope(waivers);
  const all = new Map<number, AppProblems["found"][number][]>();
  const severities = new Set(goals.flatMap(({ no_open_problems }) => no_open_problems));
  const types = new Set(goals.flatMap(({ problem_type }) => problem_type ?? []));
  const isWanted = [
    `count > 0 AND ${isAmong("severity", severities)}`,
    ...(types.size === 0 ? [] : [isAmong("problem_type", types)]),
  ];
  const select = `SELECT target_id, problem_type, CASE WHEN count > 0 THEN severity END FROM problems_by_name
    WHERE ${isWanted.join(" OR ")}`;
  for await (const rows of readRows(lines(select))) {
    for (const [target, type = "", severity] of rows) {
      const found = all.get(Number(target)) ?? [];
      found.push({ type, severity: (severity || null) as Severity | null });
      all.set(Number(target), found);
    }
  }
  return ({ target, area, team, app, env }) =>
    env === null
      ? undefined
      : { found: all.get(target) ?? [], waived: new Set(waiversOf({ area, team, app, env }).map(({ type }) => type)) };
}

function isAmong(column: string, values: ReadonlySet<string>): string {
  return `${column} IN (${[...values].map(quoted).join(", ")})`;
}

/** Counts the problems that a goal is about; undefined if the application was never scanned for the type that it names. */
export function countProblems(
  { found, waived }: AppProblems,
  { no_open_problems: severities, problem_type: only }: ProblemGoal,
): CountedProblems | undefined {
  const counts = { open: 0, waived: 0, isWaived: false };
  let isScanned = only === undefined;
  for (const { type, severity } of found) {
    if (only !== undefined && type !== only) continue;
    isScanned = true;
    if (severity !== null && severities.includes(severity)) counts[waived.has(type) ? "waived" : "open"]++;
  }
  counts.isWaived = only === undefined ? counts.open === 0 && counts.waived > 0 : waived.has(only);
  return isScanned || counts.isWaived ? counts : undefined;
}
