import type { MetricGain, MissingMetric, Step } from "@maturity/core";
import { itemFields } from "../lists/items.ts";
import { type Json, object } from "../openapi/operation.ts";

const points: Json = { type: "number", minimum: 0, maximum: 100 };
const inputValue: Json = { type: ["number", "boolean"] };

/** The gain of a better result, as it is shown. */
export interface ShownGain {
  /** For a metric that counts and scores below 100. */
  readonly gain?: {
    readonly app_gain: number;
    readonly scorecard_gain: number;
    readonly steps: readonly (Omit<Step, "appGain"> & { readonly app_gain: number })[];
  };
  /** For a metric that never reported: how much its first result raises the share reported of the application. */
  readonly reported_gain?: number;
}

const gain: Json = {
  ...object({
    app_gain: {
      ...points,
      description: "By how many points the score of the application rises if the metric scores 100",
    },
    scorecard_gain: { ...points, description: "By how many points the score of its scorecard rises then" },
    steps: {
      description:
        "For each input its next value: one finding fewer, the next corner of its curve, or else what raises the score by " +
        "5 points; the largest gain first. Empty where no input alone raises the score",
      type: "array",
      items: object({
        field: { type: "string" },
        from: { ...inputValue, description: "The value that was reported" },
        to: { ...inputValue, description: "The next value" },
        score: {
          ...itemFields.score,
          description: "The score of the metric with that value, the others being as they are",
        },
        app_gain: { ...points, description: "By how many points the score of the application rises with that value" },
      }),
    },
  }),
  description: "What a better result raises; of those that count and score below 100",
};

/** JSON Schemas of a `ShownGain`, by field. */
export const gainFields: Json = {
  gain,
  reported_gain: {
    ...{ type: "number", minimum: 0, maximum: 1 },
    description: "By how much the share reported of the application rises once it reports; only in the state `missing`",
  },
};

/** A gain in the names of the API. Of a metric that never reported it has only what a first result would add. */
export function showGain(gain: MetricGain | MissingMetric): ShownGain {
  if (!("steps" in gain)) return { reported_gain: gain.reported };
  const { appGain, scorecardGain, steps } = gain;
  return {
    gain: {
      app_gain: appGain,
      scorecard_gain: scorecardGain,
      steps: steps.map(({ appGain, ...step }) => ({ ...step, app_gain: appGain })),
    },
  };
}
