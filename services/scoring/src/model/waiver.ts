import Joi from "joi";
import { name, strict, target } from "./fields.ts";
import { maxAcceptedDays } from "./limits.ts";

/**
 * Why a waiver is made: `accepted`, the gap is known and accepted for a time; `not_applicable`, there is nothing to
 * measure.
 */
export const waiverKinds = ["accepted", "not_applicable"] as const;

export type WaiverKind = (typeof waiverKinds)[number];

/** The request for a waiver. An absent name means all: without `app`, all applications of the team. */
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

const optional = (schema: Joi.StringSchema, text: string) => schema.optional().description(`${text}; all without it`);

/** The body of POST /waivers. The schema checks each field, but not which fields exclude or need each other. */
export function waiverBody(time: Joi.StringSchema): Joi.ObjectSchema<NewWaiver> {
  return Joi.object<NewWaiver>({
    kind: Joi.valid(...waiverKinds)
      .required()
      .messages({ "any.only": `must be one of ${waiverKinds.join(", ")}` })
      .description("`accepted`: known, and accepted until `expires_at`; `not_applicable`: there is nothing to measure"),
    area: target.area,
    team: optional(target.team, "The team"),
    app: optional(target.app, "The app; needs `team`"),
    env: optional(target.env, "The environment; needs `app`"),
    scorecard: Joi.string().max(200).description("The scorecard that is waived; either this or `problem_type`"),
    metric: Joi.string().max(200).description("The metric that is waived; all of the scorecard without it"),
    problem_type: name(200).description("The kind of problem whose alerts are waived"),
    reason: name(1_000).required().description("Why; readers of the scores see it"),
    owner: name(200).required().description("The person or team that answers for it"),
    expires_at: time.description(
      `When it ends: a time, or a day, which means its first moment in UTC. A waiver of kind accepted needs it, at most ${maxAcceptedDays} days ahead`,
    ),
  }).prefs(strict);
}

interface Named {
  readonly name: string;
}

/** The parts of a scorecard that a waiver can name. */
export interface WaivableScorecard extends Named {
  readonly metrics: readonly Named[];
}

/**
 * The fault of a waiver whose scorecard or metric is not installed; its message lists the installed names. Such a waiver
 * would waive nothing, and nobody would notice.
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
