import { noticeable } from "@maturity/core/wire";
import { type AppChange, type Cause, causes } from "./changes.ts";

/** Of what the totals are. */
export const groupings = ["organisation", "area", "team"] as const;

export type Grouping = (typeof groupings)[number];

/** A cause that moved an application by less, in points, did nothing to it. */
const leastPart = 0.05;

type Parts = Readonly<Record<Cause, number>>;

/** The changes of the applications of a team, of an area or of the organisation, in one environment. */
export interface ChangeTotal {
  readonly area: string | null;
  readonly team: string | null;
  readonly env: string;
  /** How many applications had a score then. */
  readonly apps: number;
  /** How many had none; null if the day is beyond the history. */
  readonly new: number | null;
  readonly fell: number;
  readonly rose: number;
  /** The mean change; null if no application had a score then. */
  readonly change: number | null;
  /** The part of each cause in it. */
  readonly causes: Parts | null;
  /** What each cause did that moved an application, the one that moved most first. */
  readonly moved: readonly {
    readonly cause: Cause;
    readonly apps: number;
    readonly lost: number;
    readonly gained: number;
  }[];
  /** Which packages and settings moved how many applications, the one that moved most of them first. */
  readonly moved_by: readonly { readonly name: string; readonly apps: number }[];
}

/** An application that had a score then. */
type Compared = AppChange & Mean;

interface Mean {
  readonly change: number;
  readonly causes: Parts;
}

/** Adds up changes of applications. @param isKnown as of `Changes` */
export function totalsOf(apps: readonly AppChange[], isKnown: boolean, by: Grouping): readonly ChangeTotal[] {
  const fields = { organisation: [], area: ["area"], team: ["area", "team"] }[by] as ("area" | "team")[];
  const within = (["area", "team"] as const).slice(fields.length);
  const groups = Map.groupBy(apps, (app) => JSON.stringify([app.env, ...fields.map((field) => app[field])]));
  return [...groups.values()].map((group) => totalOf(group, isKnown, fields, within));
}

function totalOf(
  group: readonly AppChange[],
  isKnown: boolean,
  fields: readonly ("area" | "team")[],
  within: readonly ("area" | "team")[],
): ChangeTotal {
  const [first] = group;
  const known = group.filter((app): app is Compared => app.change !== null);
  const mean = known.length > 0 ? meanOf(known, within) : null;
  const moversOf = Map.groupBy(
    known.filter(({ causes }) => isMoved(causes.rules) || isMoved(causes.policy)).flatMap(({ moved_by }) => moved_by),
    (name) => name,
  );
  return {
    area: fields.includes("area") ? (first?.area ?? null) : null,
    team: fields.includes("team") ? (first?.team ?? null) : null,
    env: first?.env ?? "",
    ...{ apps: known.length, new: isKnown ? group.length - known.length : null },
    fell: known.filter(({ change }) => change <= -noticeable).length,
    rose: known.filter(({ change }) => change >= noticeable).length,
    change: mean?.change ?? null,
    causes: mean?.causes ?? null,
    moved: causes
      .map((cause) => movedBy(cause, known))
      .filter(({ apps }) => apps > 0)
      .sort((a, b) => b.gained - b.lost - (a.gained - a.lost)),
    moved_by: [...moversOf].map(([name, { length }]) => ({ name, apps: length })).sort((a, b) => b.apps - a.apps),
  };
}

/** The mean of the applications of a team, of the teams of an area, and of the areas. */
function meanOf(apps: readonly Compared[], [field, ...within]: readonly ("area" | "team")[]): Mean {
  const parts: readonly Mean[] = field
    ? [...Map.groupBy(apps, (app) => app[field]).values()].map((group) => meanOf(group, within))
    : apps;
  const average = (value: (part: Mean) => number) => parts.reduce((sum, part) => sum + value(part), 0) / parts.length;
  return {
    change: average(({ change }) => change),
    causes: Object.fromEntries(causes.map((cause) => [cause, average((part) => part.causes[cause])])) as Parts,
  };
}

/** Whether a cause moved an application by so many points. */
function isMoved(points: number): boolean {
  return Math.abs(points) >= leastPart;
}

function movedBy(cause: Cause, apps: readonly Mean[]): ChangeTotal["moved"][number] {
  const parts = apps.map(({ causes }) => causes[cause]).filter(isMoved);
  const sum = (sign: 1 | -1) => parts.reduce((all, points) => (points * sign > 0 ? all + points : all), 0);
  return { cause, apps: parts.length, lost: sum(-1), gained: sum(1) };
}
