import { shownTarget } from "../model/app-name.ts";
import type { ChangedScore, MetricCounts, ScoreSummary } from "../replay/score-counter.ts";
import { type ChangedApp, type ChangedApps, changeOf } from "../rollups/changed-apps.ts";

/** Sentences with the numbers of scores that move, are refused, or lose their metric. */
export function scoresSentences(scores: ScoreSummary): string[] {
  const { moved, up, down, other_scorer, refused, not_installed } = scores;
  return [
    `Of ${scores.scores} scores ${moved} move: ${up} up, ${down} down.`,
    ...(other_scorer > 0 ? [`Computed by other versions than the installed ones: ${other_scorer}.`] : []),
    ...(refused > 0 ? [`Refused now, so the stored score stays: ${refused}.`] : []),
    ...(not_installed > 0
      ? [`Of metrics that no package of SCORECARDS has, so they no longer count: ${not_installed}.`]
      : []),
  ];
}

/** A sentence about the application that falls furthest. */
export function dropSentence({ changed }: ChangedApps): string {
  const worst = largestDrop(changed);
  return worst ? `${worst.name} falls furthest, by ${worst.points.toFixed(2)} points.` : "No application falls.";
}

/** The heads of the cells of `metricCells`. */
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

/** The cells of a metric: how many of its scores move, and by how much. */
export function metricCells(counts: MetricCounts): string[] {
  const { scorecard, metric, scores, moved, mean_change, largest_fall, largest_rise, other_scorer, refused } = counts;
  return [
    ...[`${scorecard}.${metric}`, scores, moved].map(String),
    ...[mean_change, largest_fall, largest_rise].map(signed),
    ...[other_scorer, refused].map(String),
  ];
}

/** Points with their sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points.toFixed(2)}` : points.toFixed(2);
}

/** The reasons of a score in one line. */
export function reasonsText({ reasons }: ChangedScore["from"]): string {
  return reasons ? reasons.map(({ field, text }) => `${field}: ${text}`).join("; ") : "reasons unknown";
}

/** The hint how to see the former reasons, if some are unknown; empty otherwise. */
export function reasonsHint({ largest }: ScoreSummary): string {
  const areKnown = largest.every(({ from }) => from.reasons);
  return areKnown ? "" : "With --before FOLDER, which has the former packages installed, it shows their reasons too.";
}

/** The application that falls furthest, and by how many points; undefined if none falls. */
export function largestDrop(
  changed: readonly ChangedApp[],
): { readonly name: string; readonly points: number } | undefined {
  const [worst] = changed.toSorted((a, b) => changeOf(a) - changeOf(b));
  if (!worst || changeOf(worst) >= 0) return undefined;
  return { name: shownTarget(worst), points: -pointsOf(worst) };
}

/** By how many points an application moves, below 0 if it falls. Rounds off the error of floating point sums. */
export function pointsOf(changed: ChangedApp): number {
  return Math.round(changeOf(changed) * 1e6) / 1e6;
}
