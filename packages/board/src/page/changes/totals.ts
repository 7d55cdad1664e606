import type { Lists } from "@maturity/client";

type AppChange = Lists["/changes"];

/** The causes of a change, as they read. */
export const causeTexts = {
  report: "Reports",
  rules: "Rules",
  waiver: "Waivers",
  policy: "Policy",
  move: "Moves",
  other: "Other",
} as const satisfies Readonly<Record<keyof NonNullable<AppChange["causes"]>, string>>;

export type Cause = keyof typeof causeTexts;

/** A change below this is folded, in points. */
export const smallChange = 0.5;

/** What a cause did, in how many applications. */
export interface CauseTotal {
  readonly cause: Cause;
  readonly apps: number;
  /** The points of all applications together, those that fell and those that rose apart. */
  readonly lost: number;
  readonly gained: number;
}

/** What each cause did, the one that moved most first. Less than a twentieth of a point is nothing. */
export function totalsOf(changes: readonly AppChange[]): readonly CauseTotal[] {
  return (Object.keys(causeTexts) as Cause[])
    .map((cause) => {
      const parts = changes.map(({ causes }) => causes?.[cause] ?? 0).filter((points) => Math.abs(points) >= 0.05);
      const sum = (sign: 1 | -1) => parts.reduce((all, points) => (points * sign > 0 ? all + points : all), 0);
      return { cause, apps: parts.length, lost: sum(-1), gained: sum(1) };
    })
    .filter(({ apps }) => apps > 0)
    .sort((a, b) => b.gained - b.lost - (a.gained - a.lost));
}

/** Which packages and settings moved how many applications, the one with most first. */
export function moversOf(changes: readonly AppChange[]): readonly (readonly [name: string, apps: number])[] {
  const apps = new Map<string, number>();
  for (const name of changes.flatMap(({ moved_by }) => moved_by)) apps.set(name, (apps.get(name) ?? 0) + 1);
  return [...apps].sort((a, b) => b[1] - a[1]);
}

/** The changes of the applications of a team, or of an area by its teams. */
export interface GroupChange {
  readonly area: string;
  readonly team: string | undefined;
  /** How many applications fell, and rose, by half a point or more. */
  readonly fell: number;
  readonly rose: number;
  readonly apps: number;
  /** The mean change of the applications of a team, and of the teams of an area; only of those that had a score then. */
  readonly change: number;
  readonly causes: Readonly<Record<Cause, number>>;
}

/** The changes by team or by area, the greatest loss first. */
export function groupsOf(changes: readonly AppChange[], by: "team" | "area"): readonly GroupChange[] {
  const known = changes.filter(({ change }) => change !== null);
  const teams = [...Map.groupBy(known, ({ area, team }) => JSON.stringify([area, team])).values()].map(teamOf);
  const groups = by === "team" ? teams : [...Map.groupBy(teams, ({ area }) => area).values()].map(areaOf);
  return groups.toSorted((a, b) => a.change - b.change);
}

function teamOf(apps: readonly AppChange[]): GroupChange {
  const [{ area, team } = { area: "", team: "" }] = apps;
  const moved = (sign: 1 | -1) => apps.filter(({ change }) => (change ?? 0) * sign >= smallChange).length;
  return {
    ...{ area, team, fell: moved(-1), rose: moved(1), apps: apps.length },
    change: mean(apps.map(({ change }) => change ?? 0)),
    causes: meanCauses(apps.map(({ causes }) => causes)),
  };
}

function areaOf(teams: readonly GroupChange[]): GroupChange {
  const sum = (field: "fell" | "rose" | "apps") => teams.reduce((all, team) => all + team[field], 0);
  return {
    ...{ area: teams[0]?.area ?? "", team: undefined, fell: sum("fell"), rose: sum("rose"), apps: sum("apps") },
    change: mean(teams.map(({ change }) => change)),
    causes: meanCauses(teams.map(({ causes }) => causes)),
  };
}

function meanCauses(all: readonly (Readonly<Record<Cause, number>> | null)[]): Readonly<Record<Cause, number>> {
  const names = Object.keys(causeTexts) as Cause[];
  return Object.fromEntries(names.map((cause) => [cause, mean(all.map((causes) => causes?.[cause] ?? 0))])) as Record<
    Cause,
    number
  >;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
