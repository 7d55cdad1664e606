import type { Target } from "@maturity/core";
import type { CampaignGoal } from "../model/campaign.ts";
import type { App } from "../rollups/organisation.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import { type Lines, quoted } from "../store/lines.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { inForceNow } from "../store/waivers.ts";

/** The problems of an application that a goal is about. */
export interface FoundProblems {
  /** How many are open, without those that are waived. */
  readonly open: number;
  /** How many are open and waived. */
  readonly waived: number;
  /** Whether the application counts as waived. */
  readonly isWaived: boolean;
}

/** Finds the problems of an application; undefined if it was never scanned for the kind that the goal names. */
export type GoalProblems = (target: Target & Pick<App, "id">) => FoundProblems | undefined;

/** A goal about problems. */
type ProblemGoal = Extract<CampaignGoal, { readonly no_open_problems: unknown }>;

/** Whether a goal is about problems. */
export function isAboutProblems(goal: CampaignGoal): goal is ProblemGoal {
  return "no_open_problems" in goal;
}

/**
 * Reads the problems that a goal is about, and the waivers of them. Without `problem_type` in the goal only open problems of its
 * severities are read. With it all problems of the type are: a clean scan says that an application was scanned.
 */
export async function readGoalProblems(
  lines: Lines,
  { no_open_problems: severities, problem_type: only }: ProblemGoal,
): Promise<GoalProblems> {
  const ofType = only === undefined ? "" : `AND problem_type = ${quoted(only)}`;
  const isOpen = `count > 0 AND severity IN (${severities.map(quoted).join(", ")})`;
  const waivers: (Target & { readonly problem_type: string })[] = [];
  const waiverSelect = `SELECT area, team, app, env, problem_type FROM waivers_by_name
    WHERE problem_type IS NOT NULL AND ${inForceNow} ${ofType}`;
  for await (const rows of readRows(lines(waiverSelect))) {
    for (const [area = "", team = "", app = "", env = "", problem_type = ""] of rows) {
      waivers.push({ area, team, app, env, problem_type });
    }
  }
  const waiversOf = waiversByScope(waivers);
  const found = new Map<string, { readonly type: string; readonly isOpen: boolean }[]>();
  const select = `SELECT area, team, app, env, problem_type, CASE WHEN ${isOpen} THEN 1 ELSE 0 END FROM problems_by_name
    WHERE ${only === undefined ? isOpen : "true"} ${ofType}`;
  for await (const rows of readRows(lines(select))) {
    for (const row of rows) {
      const [type = "", open] = row.splice(4);
      const id = row.join(separator);
      const own = found.get(id) ?? [];
      own.push({ type, isOpen: open === "1" });
      found.set(id, own);
    }
  }
  return (target) => {
    const own = found.get(target.id) ?? none;
    const scopes = waiversOf(target);
    if (own.length === 0 && scopes.length === 0) return only === undefined ? clean : undefined;
    const types = new Set(scopes.map(({ problem_type }) => problem_type));
    const [waived, open] = [true, false].map(
      (isWaived) => own.filter(({ type, isOpen }) => isOpen && types.has(type) === isWaived).length,
    ) as [number, number];
    const isWaived = only === undefined ? open === 0 && waived > 0 : types.has(only);
    if (only !== undefined && own.length === 0 && !isWaived) return undefined;
    return { open, waived, isWaived };
  };
}

const none: readonly never[] = [];

const clean: FoundProblems = { open: 0, waived: 0, isWaived: false };
