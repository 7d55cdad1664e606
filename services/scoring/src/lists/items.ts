import type { Target } from "@maturity/core";
import { type Json, points, share, text } from "../openapi/operation.ts";

/** JSON Schemas of the fields that items of several lists have. */
export const itemFields: Readonly<
  Record<
    keyof Target | "scorecard" | "metric" | "score" | "reported" | "fresh" | "waived" | "exempt" | "thin" | "time",
    Json
  >
> = {
  area: text,
  team: text,
  app: text,
  env: text,
  scorecard: text,
  metric: text,
  score: points,
  reported: { ...share, description: "The share of the weight that reported, of what is neither waived nor exempt" },
  fresh: { ...share, description: "The share of the weight that reported and is not stale" },
  waived: { ...share, description: "The share of the whole weight that is waived" },
  exempt: {
    ...share,
    description: "The share of the whole weight that the policy exempts; what is also waived is exempt alone",
  },
  thin: {
    type: "boolean",
    description: "Whether the score is thin: a quarter of the weight reported or less, so that it says little",
  },
  time: { type: "string", format: "date-time" },
};
