import type { App, Scorecard } from "@maturity/client";

/** What could be better in an application. */
export interface Gain {
  readonly scorecard: string;
  readonly metric: string;
  readonly title: string;
  readonly score: number;
  /** What lowers it most; undefined where the service no longer knows. */
  readonly reason: string | undefined;
  /** By how many points the score of the application rises when this metric alone scores 100. */
  readonly gain: number;
}

/** The metrics of an application by what they could add to its score, the most first. What scores 100 or is waived is not among them. */
export function gainsOf({ metrics = [] }: Pick<App, "metrics">, scorecards: readonly Scorecard[]): readonly Gain[] {
  const found = (scorecard: string, metric: string) =>
    metrics.find((one) => one.scorecard === scorecard && one.metric === metric);
  const counted = scorecards
    .map(({ scorecard, weight, metrics }) => ({
      weight,
      scores: metrics.flatMap(({ metric, title, weight }) => {
        const { score, reasons, state } = found(scorecard, metric) ?? {};
        return score === undefined || state === "waived"
          ? []
          : [{ scorecard, metric, title, weight, score, reason: reasons?.[0]?.text }];
      }),
    }))
    .filter(({ scores }) => scores.length > 0);
  const whole = sumOf(counted);
  return counted
    .flatMap(({ weight: share, scores }) =>
      scores.map(({ weight, ...score }) => ({
        ...score,
        gain: (100 - score.score) * (weight / sumOf(scores)) * (share / whole),
      })),
    )
    .filter(({ gain }) => gain > 0)
    .sort((one, other) => other.gain - one.gain);
}

function sumOf(parts: readonly { readonly weight: number }[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
