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

interface Named {
  readonly name: string;
}

/** A scorecard, as far as waivers name it. */
export interface WaivableScorecard extends Named {
  readonly metrics: readonly Named[];
}

/**
 * The scorecard or metric of a waiver that is not registered, with a message that lists those that are; undefined if all is.
 * A waiver of what nobody knows would waive nothing, and nobody would notice.
 */
export function unregistered(
  scorecards: readonly WaivableScorecard[],
  { scorecard, metric }: Pick<NewWaiver, "scorecard" | "metric">,
): { readonly path: "scorecard" | "metric"; readonly message: string } | undefined {
  if (scorecard === undefined) return undefined;
  const found = scorecards.find(({ name }) => name === scorecard);
  if (!found) return { path: "scorecard", message: unknown("scorecard", scorecard, scorecards) };
  if (metric === undefined || found.metrics.some(({ name }) => name === metric)) return undefined;
  return { path: "metric", message: unknown(`metric of ${scorecard}`, metric, found.metrics) };
}

function unknown(kind: string, name: string, known: readonly Named[]): string {
  return `there is no ${kind} named ${JSON.stringify(name)}; registered: ${known.map(({ name }) => name).join(", ")}`;
}
