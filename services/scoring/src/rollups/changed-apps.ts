import type { Target } from "@maturity/core";
import type { ComparedApp } from "./compared-apps.ts";

/** An application whose score or level differs. */
export interface ChangedApp extends Target {
  /** Null on a side without a score. */
  readonly score: { readonly from: number | null; readonly to: number | null };
  /** Null without a level. */
  readonly level: { readonly from: string | null; readonly to: string | null };
  /** The first unmet condition of the next level afterwards; null on the highest. */
  readonly unmet: string | null;
  /** The number of levels that it rises; below 0 if it falls. */
  readonly rise: number;
}

/** The result of a comparison. */
export interface ChangedApps {
  /** The number of all applications. */
  readonly applications: number;
  /** The largest falls by level first, then the largest changes of the score. */
  readonly changed: readonly ChangedApp[];
}

/** The metrics, as `scorecard.metric`, of which an application begins or ceases to be exempt. */
export interface ExemptedApp extends Target {
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

/** The effect of other rules on the applications. */
export interface RulesEffect extends ChangedApps {
  /** The applications that begin or cease to be exempt from anything, also those whose score stays. */
  readonly exempted: readonly ExemptedApp[];
}

/** Smaller differences are no change: sums in another order may round otherwise. */
const tolerance = 1e-9;

/** The change of the score, below 0 if it falls. A missing score counts as 0. */
export function changeOf({ score: { from, to } }: Pick<ChangedApp, "score">): number {
  return (to ?? 0) - (from ?? 0);
}

/** Whether the score changes. */
export function isChanged({ score: { from, to } }: Pick<ChangedApp, "score">): boolean {
  return from === null || to === null ? from !== to : Math.abs(to - from) >= tolerance;
}

/** The applications whose score or level differs, and those whose exemptions do. */
export function changedApps(compared: Iterable<ComparedApp>): RulesEffect {
  const [changed, exempted]: [ChangedApp[], ExemptedApp[]] = [[], []];
  let applications = 0;
  for (const { from, to, exempt, ...target } of compared) {
    applications++;
    const begins = exempt.to.filter((metric) => !exempt.from.includes(metric));
    const ends = exempt.from.filter((metric) => !exempt.to.includes(metric));
    if (begins.length + ends.length > 0) exempted.push({ ...target, begins, ends });
    const score = { from: from.score ?? null, to: to.score ?? null };
    const level = { from: from.level?.name ?? null, to: to.level?.name ?? null };
    if (!isChanged({ score }) && level.from === level.to) continue;
    const rise = (to.level?.rank ?? 0) - (from.level?.rank ?? 0);
    changed.push({ ...target, score, level, unmet: to.level?.next?.unmet ?? null, rise });
  }
  return {
    applications,
    changed: changed.sort((a, b) => a.rise - b.rise || Math.abs(changeOf(b)) - Math.abs(changeOf(a))),
    exempted,
  };
}
