import Joi from "joi";
import { name, strict, target, uuid, withRule } from "./fields.ts";
import { maxAcceptedDays } from "./limits.ts";

/**
 * Why a waiver is made: `accepted`, the gap is known and accepted for a time; `not_applicable`, there is nothing to
 * measure.
 */
export const waiverKinds = ["accepted", "not_applicable"] as const;

export type WaiverKind = (typeof waiverKinds)[number];

/**
 * The states of a waiver. Only an `approved` one waives anything. `requested`, `rejected` and `withdrawn` ones never did;
 * `revoked` and `expired` ones do no more.
 */
export const waiverStates = ["requested", "approved", "rejected", "withdrawn", "revoked", "expired"] as const;

export type WaiverState = (typeof waiverStates)[number];

/** The states that a waiver can be made in. */
export const madeStates = ["requested", "approved"] as const;

export type MadeState = (typeof madeStates)[number];

/** The scope and the subject of a waiver. An absent name means all: without `app`, all applications of the team. */
export interface WaiverSubject {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env?: string;
  readonly scorecard?: string;
  readonly metric?: string;
  readonly problem_type?: string;
}

/** The request for a waiver. */
export interface NewWaiver extends WaiverSubject {
  readonly kind: WaiverKind;
  readonly reason: string;
  readonly owner: string;
  /** A URL that begins with `https:`. */
  readonly evidence?: string;
  /** The id of the waiver that it goes on from. */
  readonly extends?: string;
  /** In ISO 8601, in UTC. */
  readonly expires_at?: string;
}

const optional = (schema: Joi.StringSchema, text: string) => schema.optional().description(`${text}; all without it`);

/** An address at which the evidence of a waiver can be read. */
export const evidence: Joi.StringSchema = withRule(name(2_048), (value: string) =>
  isEvidence(value) ? undefined : "must be a URL that begins with https:// and has no user or password",
);

function isEvidence(text: string): boolean {
  const url = URL.parse(text);
  return /^https:\/\/[^\s/]/i.test(text) && url?.username === "" && url.password === "";
}

/** The body of POST /waivers. */
export interface WaiverBody extends NewWaiver {
  readonly state?: MadeState;
}

/** The body of POST /waivers. The schema checks each field, but not which fields exclude or need each other. */
export function waiverBody(time: Joi.StringSchema): Joi.ObjectSchema<WaiverBody> {
  return Joi.object<WaiverBody>({
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
    evidence: evidence.description("Where the evidence can be read; an address that begins with https://"),
    extends: Joi.string()
      .pattern(uuid, { name: "the id of a waiver" })
      .description("The id of the approved waiver that it extends, of the same target and subject"),
    state: Joi.valid(...madeStates)
      .messages({ "any.only": `must be one of ${madeStates.join(", ")}` })
      .description(
        "`requested` asks for a decision; `approved` needs the scope `waiver:write`, and no person that signed in has it for this. Without it `approved` where the caller may, else `requested`",
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
 * The fault of a waiver or a badge whose scorecard or metric is not installed; its message lists the installed names. The
 * waiver would waive nothing, and nobody would notice.
 */
export function uninstalledFault(
  scorecards: readonly WaivableScorecard[],
  { scorecard, metric }: Partial<Record<"scorecard" | "metric", string | null>>,
): { readonly path: "scorecard" | "metric"; readonly message: string } | undefined {
  if (scorecard === undefined || scorecard === null) return undefined;
  const found = scorecards.find(({ name }) => name === scorecard);
  if (!found) return { path: "scorecard", message: unknown("scorecard", scorecard, scorecards) };
  if (metric === undefined || metric === null || found.metrics.some(({ name }) => name === metric)) return undefined;
  return { path: "metric", message: unknown(`metric of ${scorecard}`, metric, found.metrics) };
}

function unknown(kind: string, name: string, known: readonly Named[]): string {
  return `there is no ${kind} named ${JSON.stringify(name)}; installed: ${known.map(({ name }) => name).join(", ")}`;
}
