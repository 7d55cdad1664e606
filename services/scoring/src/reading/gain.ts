import type { JointStep, MetricGain, MissingMetric, Step } from "@maturity/core";
import { itemFields } from "../lists/items.ts";
import { type Json, object, points, share } from "../openapi/operation.ts";

const value: Json = { type: ["number", "boolean"] };
const input: Json = { field: { type: "string" }, from: { ...value, description: "As reported" }, to: value };
const app_gain: Json = { ...points, description: "By how many points the score of the application rises by that" };

type Named<Gain> = Omit<Gain, "appGain"> & { readonly app_gain: number };

/** The gain of a better result, as it is shown. */
export interface ShownGain {
  /** For a metric that counts and scores below 100. */
  readonly gain?: {
    readonly app_gain: number;
    readonly scorecard_gain: number;
    readonly steps: readonly Named<Step>[];
    readonly together?: Named<JointStep>;
  };
  /** For a metric that never reported: how much its first result raises the share reported of the application. */
  readonly reported_gain?: number;
}

const gain: Json = {
  ...object(
    {
      app_gain: { ...app_gain, description: "By how many points the score of the application rises if it scores 100" },
      scorecard_gain: { ...points, description: "By how many points the score of its scorecard rises then" },
      steps: {
        description:
          "For each input its next value, the others being as they are: one finding fewer, the next corner of its curve, or " +
          "else what raises the score by 5 points; the largest gain first. Empty where no input alone raises the score",
        ...{ type: "array", items: object({ ...input, score: itemFields.score, app_gain }) },
      },
    },
    {
      together: {
        ...object({ inputs: { type: "array", items: object(input) }, score: itemFields.score, app_gain }),
        description:
          "The values that together bring the score to 50, or to 100 from there on. Only where `steps` is empty, and they can",
      },
    },
  ),
  description: "What a better result raises; of those that count and score below 100",
};

/** JSON Schemas of a `ShownGain`, by field. */
export const gainFields: Json = {
  gain,
  reported_gain: {
    ...share,
    description: "By how much the share reported of the application rises once it reports; only in the state `missing`",
  },
};

/** A gain in the names of the API. Of a metric that never reported it has only what a first result would add. */
export function showGain(gain: MetricGain | MissingMetric): ShownGain {
  if (!("steps" in gain)) return { reported_gain: gain.reported };
  const { appGain: app_gain, scorecardGain: scorecard_gain, steps, together } = gain;
  const named = <One extends { readonly appGain: number }>({ appGain, ...one }: One) => ({ ...one, app_gain: appGain });
  return {
    gain: { app_gain, scorecard_gain, steps: steps.map(named), ...(together && { together: named(together) }) },
  };
}
