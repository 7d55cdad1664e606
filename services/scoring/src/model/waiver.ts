import Joi from "joi";
import { name, strict, target } from "./fields.ts";
import { maxAcceptedDays } from "./limits.ts";

/**
 * Why something is waived: `accepted`, a gap that is known and lived with for a time; `not_applicable`, there is nothing to
 * measure.
 */
export const waiverKinds = ["accepted", "not_applicable"] as const;

export type WaiverKind = (typeof waiverKinds)[number];

/** A waiver as it is asked for. What is left out means all. */
export interface NewWaiver {
  readonly kind: WaiverKind;
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env?: string;
  readonly scorecard?: string;
  readonly metric?: string;
  readonly problem_type?: string;
  readonly reason: string;
  readonly owner: string;
  /** In ISO 8601, in UTC. */
  readonly expires_at?: string;
}

/** The fields of a waiver that hold one of the kinds, and say why and who. */
const waiverReason: Readonly<Record<"kind" | "reason" | "owner", Joi.Schema>> = {
  kind: Joi.valid(...waiverKinds)
    .required()
    .messages({ "any.only": `must be one of ${waiverKinds.join(", ")}` })
    .description("`accepted`: known, and lived with until `expires_at`; `not_applicable`: there is nothing to measure"),
  reason: name(1_000).required().description("Why, for whoever reads the numbers"),
  owner: name(200).required().description("Who answers for it"),
};

/** Where a field may be left out, which then means all. */
const optional = (schema: Joi.StringSchema, what: string) => schema.optional().description(`${what}; all without it`);

/** The body of POST /waivers, but for how its fields go together. */
export function waiverBody(time: Joi.StringSchema): Joi.ObjectSchema<NewWaiver> {
  return Joi.object<NewWaiver>({
    kind: waiverReason.kind,
    area: target.area,
    team: optional(target.team, "The team"),
    app: optional(target.app, "The app; needs `team`"),
    env: optional(target.env, "The environment; needs `app`"),
    scorecard: Joi.string().max(200).description("The scorecard that is waived; either this or `problem_type`"),
    metric: Joi.string().max(200).description("The metric that is waived; all of the scorecard without it"),
    problem_type: name(200).description("The kind of problem whose alerts are waived"),
    reason: waiverReason.reason,
    owner: waiverReason.owner,
    expires_at: time.description(
      `When it ends: a day, which stands for its first moment in UTC, or a time. What is accepted needs one, at most ${maxAcceptedDays} days ahead`,
    ),
  }).prefs(strict);
}
