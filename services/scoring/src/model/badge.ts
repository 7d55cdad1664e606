import type { Target } from "@maturity/core";
import Joi from "joi";
import { name, strict, target } from "./fields.ts";

/** What a badge can show of an application. */
export const badgeSubjects = ["score", "level", "metric"] as const;

/** A badge to make. */
export interface NewBadge extends Target {
  readonly shows: (typeof badgeSubjects)[number];
  /** Of the metric, where it shows one. */
  readonly scorecard?: string;
  readonly metric?: string;
}

const ofMetric = (what: string) =>
  name(200)
    // biome-ignore lint/suspicious/noThenProperty: the word of joi
    .when("shows", { is: "metric", then: Joi.required(), otherwise: Joi.forbidden() })
    .description(`${what}, where the badge shows one`);

/** The body of POST /badges. */
export const newBadge: Joi.ObjectSchema<NewBadge> = Joi.object({
  ...target,
  shows: Joi.valid(...badgeSubjects)
    .required()
    .description("What it shows: the application score, the level, or the score of one metric"),
  scorecard: ofMetric("Scorecard of the metric"),
  metric: ofMetric("Name of the metric"),
}).prefs({
  ...strict,
  messages: { ...strict.messages, "any.unknown": "is allowed only where shows is metric" },
});
