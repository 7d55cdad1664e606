import type { App, Scorecard } from "@maturity/client";

type Found = NonNullable<NonNullable<App["metrics"]>[number]["gain"]>;

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
  /** The next value of the input that gains most, or of several where none raises anything by itself. */
  readonly step: NonNullable<Found["together"]> | undefined;
  /** What its inputs are called. */
  readonly inputs: Scorecard["metrics"][number]["inputs"];
}

/** The metrics of an application by what they could add to its score, the most first. What scores 100 or is waived is not among them. */
export function gainsOf({ metrics = [] }: Pick<App, "metrics">, scorecards: readonly Scorecard[]): readonly Gain[] {
  return metrics
    .flatMap(({ scorecard, metric, score, reasons, gain }) => {
      if (!gain || score === undefined) return [];
      const declared = scorecards.find((one) => one.scorecard === scorecard)?.metrics;
      const { title = metric, inputs = [] } = declared?.find((one) => one.metric === metric) ?? {};
      const reason = reasons?.[0]?.text;
      const [first] = gain.steps;
      const step = first ? { ...first, inputs: [first] } : gain.together;
      return [{ scorecard, metric, title, score, reason, gain: gain.app_gain, step, inputs }];
    })
    .sort((one, other) => other.gain - one.gain);
}
