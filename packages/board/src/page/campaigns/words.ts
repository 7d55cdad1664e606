import type { Campaign, CampaignMember } from "@maturity/client";
import { plural, points } from "../format.ts";

type Progress = Campaign["progress"];

/** Whom a campaign is for. */
export function scopeText({ areas = [], teams = [], tier, labels = {}, env }: Campaign["scope"]): string {
  const named = [...areas, ...teams.map(({ area, team }) => `${area} / ${team}`)];
  return [
    named.length > 0 ? named.join(", ") : "all areas",
    ...(tier ? [`tier ${tier.join(" or ")}`] : []),
    ...Object.entries(labels).map(([name, values]) => `${name} ${values.join(" or ")}`),
    env ? `only in ${env.join(" and ")}` : "in all environments",
  ].join(", ");
}

/** How many members have to meet the goal: those that are neither waived nor exempt. */
export function countingOf({ members, waived, exempt }: Pick<Progress, "members" | "waived" | "exempt">): number {
  return members - waived - exempt;
}

/** The share of those that have to meet the goal and do; undefined where nobody has to. */
export function shareOf(progress: Pick<Progress, "members" | "met" | "waived" | "exempt">): number | undefined {
  const counting = countingOf(progress);
  return counting === 0 ? undefined : progress.met / counting;
}

/**
 * What a member has: a score, a level, or a number of open problems. What misses its target by a hair is rounded down, so
 * that it does not look as if it met it.
 */
export function valueText(value: NonNullable<CampaignMember["value"]>, target: CampaignMember["target"]): string {
  if (typeof value === "string") return value;
  const isHair = typeof target === "number" && value < target && Number(points(value)) >= target;
  return points(isHair ? Math.floor(value * 10) / 10 : value);
}

/** By how much a share is away from the one of the straight line, as both are written: `12 percentage points behind`. */
export function toLineText(share: number, line: number): string {
  const away = Math.round(share * 100) - Math.round(line * 100);
  return away === 0 ? "on the line" : `${plural(Math.abs(away), "percentage point")} ${away < 0 ? "behind" : "ahead"}`;
}
