import type { Target } from "@maturity/core";
import type { ComparedApp } from "./compared-apps.ts";

/** An application whose score or level differs. */
export interface ChangedApp extends Target {
  /** Null where it has none. */
  readonly score: { readonly from: number | null; readonly to: number | null };
  /** Null without a level. */
  readonly level: { readonly from: string | null; readonly to: string | null };
  /** The first condition that keeps it from the next level then; null on the highest. */
  readonly unmet: string | null;
  /** How many levels it rises; below 0 if it falls. */
  readonly rise: number;
}

/** What becomes of applications. */
export interface ChangedApps {
  /** The number of all applications. */
  readonly applications: number;
  /** Those that fall by levels first, then by how far the score moves. */
  readonly changed: readonly ChangedApp[];
}

/** Scores that differ by less are the same: sums of other weights may round otherwise. */
const tolerance = 1e-9;

/** How far a score moves, below 0 if it falls. What has no score on one side moves by its whole score. */
export function changeOf({ score: { from, to } }: Pick<ChangedApp, "score">): number {
  return (to ?? 0) - (from ?? 0);
}

/** Says whether an application gets another score. */
export function isMoved({ score: { from, to } }: Pick<ChangedApp, "score">): boolean {
  return from === null || to === null ? from !== to : Math.abs(to - from) >= tolerance;
}

/** The applications whose score or level differs. */
export function changedApps(compared: Iterable<ComparedApp>): ChangedApps {
  const changed: ChangedApp[] = [];
  let applications = 0;
  for (const { from, to, ...target } of compared) {
    applications++;
    const score = { from: from?.score ?? null, to: to?.score ?? null };
    const level = { from: from?.level?.name ?? null, to: to?.level?.name ?? null };
    if (!isMoved({ score }) && level.from === level.to) continue;
    const rise = (to?.level?.rank ?? 0) - (from?.level?.rank ?? 0);
    changed.push({ ...target, score, level, unmet: to?.level?.next?.unmet ?? null, rise });
  }
  return {
    applications,
    changed: changed.sort((a, b) => a.rise - b.rise || Math.abs(changeOf(b)) - Math.abs(changeOf(a))),
  };
}
