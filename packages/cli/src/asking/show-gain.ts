import type { App } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { shareText } from "@maturity/command-line/score-text";
import { printable } from "@maturity/command-line/terminal";
import { metricText } from "@maturity/report-files/metric-name";
import {
  type GainingMetric,
  gainingMetrics,
  missingMetrics,
  pointsText,
  stepTexts,
} from "@maturity/run-summary/points";
import { scorePaint } from "./words.ts";

/**
 * Prints what to fix first: what each metric gives at 100 and by the next value of each of its inputs, and what each one that
 * never reported adds to the share reported.
 *
 * @param most how many metrics are shown with their steps
 */
export function showGain(app: App, most: number, output: Output): void {
  const { colors } = output;
  const title = "What to fix first, by the points that the score gains";
  showMetrics(title, gainingMetrics(app), most, "--all shows their steps", output, (metric) => {
    const { score, scorecard, gain } = metric;
    const name = colors.bold(`${printable(metricText(metric))} ${scorePaint(score, output)(String(score))} → 100`);
    const card = colors.dim(`, ${printable(scorecard)} ${pointsText(gain.scorecard_gain)}`);
    return [`${name} gains ${pointsText(gain.app_gain)}${card}`, ...stepTexts(gain)];
  });
  const missing = missingMetrics(app);
  if (missing.length === 0) return;
  output.section("Never reported, by the share of the weight that each adds");
  const shares = missing.map((metric) => `${metricText(metric)} ${shareText(metric.reported_gain)}`);
  output.paragraph(shares.join(", "), "  ");
}

/**
 * Prints a section about metrics: the first with their lines, the others by their names.
 *
 * @param linesOf a line that is safe for a terminal, and those to stand below it
 */
export function showMetrics(
  title: string,
  metrics: readonly GainingMetric[],
  most: number,
  hint: string,
  output: Output,
  linesOf: (metric: GainingMetric) => readonly string[],
): void {
  if (metrics.length > 0) output.section(title);
  for (const metric of metrics.slice(0, most)) {
    const [head = "", ...below] = linesOf(metric);
    output.line(head);
    for (const text of below) output.paragraph(text, "  ");
  }
  const others = metrics.slice(most);
  const names = others.map((metric) => `${metricText(metric)} ${metric.score} (${pointsText(metric.gain.app_gain)})`);
  if (others.length > 0) output.paragraph(`and ${names.join(", ")}; ${hint}`, "", output.colors.dim);
}

/** The same for programs, the largest gain first. */
export function gainOf(app: App): object {
  return {
    metrics: gainingMetrics(app).map(({ scorecard, metric, score, gain }) => ({ scorecard, metric, score, ...gain })),
    missing: missingMetrics(app).map(({ scorecard, metric, reported_gain }) => ({ scorecard, metric, reported_gain })),
  };
}
