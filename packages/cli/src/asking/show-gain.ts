import type { App } from "@maturity/client";
import { metricText } from "../metrics.ts";
import type { Output } from "../output.ts";
import { printable } from "../terminal.ts";
import { gainingMetrics, missingMetrics, pointsText, stepText } from "./points.ts";
import { scorePaint, shareText } from "./words.ts";

/**
 * Prints what to fix first: what each metric gives at 100 and by the next value of each of its inputs, and what each one that
 * never reported adds to the share reported.
 *
 * @param most how many metrics are shown with their steps
 */
export function showGain(app: App, most: number, output: Output): void {
  const { colors } = output;
  const gaining = gainingMetrics(app);
  if (gaining.length > 0) {
    output.section("What to fix first, by the points that the score gains");
  }
  for (const metric of gaining.slice(0, most)) {
    const { score, scorecard, gain } = metric;
    const name = colors.bold(`${printable(metricText(metric))} ${scorePaint(score, output)(String(score))} → 100`);
    const card = colors.dim(`, ${printable(scorecard)} ${pointsText(gain.scorecard_gain)}`);
    output.line(`${name} gains ${pointsText(gain.app_gain)}${card}`);
    for (const step of gain.steps) {
      const text = `${stepText(step)} gains ${pointsText(step.app_gain)}, and the metric scores ${step.score}`;
      output.paragraph(text, "  ");
    }
    if (gain.steps.length === 0) output.line("  no single value raises it");
  }
  const others = gaining.slice(most);
  if (others.length > 0) {
    const names = others.map((metric) => `${metricText(metric)} ${metric.score} (${pointsText(metric.gain.app_gain)})`);
    output.paragraph(`and ${names.join(", ")}; --all shows their steps`, "", colors.dim);
  }
  const missing = missingMetrics(app);
  if (missing.length === 0) return;
  output.section("Never reported, by the share of the weight that each adds");
  const shares = missing.map((metric) => `${metricText(metric)} ${shareText(metric.reported_gain)}`);
  output.paragraph(shares.join(", "), "  ");
}

/** The same for programs, the largest gain first. */
export function gainOf(app: App): object {
  return {
    metrics: gainingMetrics(app).map(({ scorecard, metric, score, gain }) => ({ scorecard, metric, score, ...gain })),
    missing: missingMetrics(app).map(({ scorecard, metric, reported_gain }) => ({ scorecard, metric, reported_gain })),
  };
}
