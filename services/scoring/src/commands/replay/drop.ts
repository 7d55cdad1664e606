import { type ChangedApp, changeOf } from "../../rollups/changed-apps.ts";

/** The application that falls furthest, and by how many points; undefined if none falls. */
export function largestDrop(
  changed: readonly ChangedApp[],
): { readonly name: string; readonly points: number } | undefined {
  let worst: ChangedApp | undefined;
  for (const one of changed) {
    if (changeOf(one) < (worst ? changeOf(worst) : 0)) worst = one;
  }
  if (!worst) return undefined;
  const { area, team, app, env } = worst;
  return { name: `${area}/${team}/${app} (${env})`, points: -pointsOf(worst) };
}

/** By how many points an application moves, below 0 if it falls. A sum of weights may miss a whole number by a hair, which is cut. */
export function pointsOf(changed: ChangedApp): number {
  return Math.round(changeOf(changed) * 1e6) / 1e6;
}
