import type { MovedScore, ScoreCounts, ScoreSummary } from "../replay/score-counter.ts";
import { type ChangedApp, type ChangedApps, changeOf } from "../rollups/changed-apps.ts";

/** What becomes of the scores, in sentences. */
export function scoresSentences(scores: ScoreSummary): string[] {
  const { moved, up, down, other_scorer, refused, not_installed } = scores;
  return [
    `Of ${scores.scores} scores ${moved} move: ${up} up, ${down} down.`,
    ...(other_scorer > 0 ? [`Made by other versions than those installed: ${other_scorer}.`] : []),
    ...(refused > 0 ? [`Refused now, so that the stored score stays: ${refused}.`] : []),
    ...(not_installed > 0
      ? [`Of metrics that no package of SCORECARDS has, so that they count no more: ${not_installed}.`]
      : []),
  ];
}

/** The application that falls furthest, in a sentence. */
export function dropSentence({ changed }: ChangedApps): string {
  const worst = largestDrop(changed);
  return worst ? `${worst.name} falls furthest, by ${worst.points.toFixed(2)} points.` : "No application falls.";
}

/** Names the cells of `metricCells`. */
export const metricHead: readonly string[] = [
  "METRIC",
  "SCORES",
  "MOVED",
  "MEAN",
  "LARGEST FALL",
  "LARGEST RISE",
  "OTHER VERSION",
  "REFUSED",
];

/** What becomes of the scores of a metric, as texts. */
export function metricCells(name: string, counts: ScoreCounts): string[] {
  const { scores, moved, mean_change, largest_fall, largest_rise, other_scorer, refused } = counts;
  return [
    ...[name, scores, moved].map(String),
    ...[mean_change, largest_fall, largest_rise].map(signed),
    ...[other_scorer, refused].map(String),
  ];
}

/** Points with their sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points.toFixed(2)}` : points.toFixed(2);
}

/** Whose score it is. */
export function nameOf({ area, team, app, env }: Readonly<Record<"area" | "team" | "app" | "env", string>>): string {
  return `${area}/${team}/${app} (${env})`;
}

/** Why a score is what it is. */
export function reasonsText({ reasons }: MovedScore["from"]): string {
  return reasons ? reasons.map(({ field, text }) => `${field}: ${text}`).join("; ") : "reasons not at hand";
}

/** How to learn the reasons of before, where some are not at hand. */
export function reasonsHint({ largest }: ScoreSummary): string {
  const areKnown = largest.every(({ from }) => from.reasons);
  return areKnown ? "" : "--before names a folder with the packages of before, to tell their reasons too.";
}

/** The application that falls furthest, and by how many points; undefined if none falls. */
export function largestDrop(
  changed: readonly ChangedApp[],
): { readonly name: string; readonly points: number } | undefined {
  let worst: ChangedApp | undefined;
  for (const one of changed) {
    if (changeOf(one) < (worst ? changeOf(worst) : 0)) worst = one;
  }
  if (!worst) return undefined;
  return { name: nameOf(worst), points: -pointsOf(worst) };
}

/** By how many points an application moves, below 0 if it falls. A sum of weights may miss a whole number by a hair, which is cut. */
export function pointsOf(changed: ChangedApp): number {
  return Math.round(changeOf(changed) * 1e6) / 1e6;
}
