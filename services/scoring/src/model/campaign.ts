import type { Fault, Severity } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import Joi from "joi";
import { dayParameter } from "./day.ts";
import { name, strict, target, text, whole } from "./fields.ts";
import { evidence } from "./waiver.ts";

/**
 * The states of a campaign. A `draft` runs from its day `starts` on, and a `running` one ends after its day `due`; both
 * also by hand. An `archived` one is over and out of the usual lists.
 */
export const campaignStates = ["draft", "running", "ended", "archived"] as const;

export type CampaignState = (typeof campaignStates)[number];

/**
 * The applications that a campaign is for: those of one of its areas or teams, of all areas if it names neither, that fit
 * each further field. A field fits by any of its values.
 */
export interface CampaignScope {
  readonly areas?: readonly string[];
  readonly teams?: readonly { readonly area: string; readonly team: string }[];
  /** Compared with the tier of the registry as a text. */
  readonly tier?: readonly (number | string)[];
  /** Values by the name of a label of the registry. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly env?: readonly string[];
}

/** What an application has to reach. */
export type CampaignGoal =
  | { readonly metric: string; readonly min: number }
  | { readonly scorecard: string; readonly min: number }
  | { readonly level: string }
  | { readonly no_open_problems: readonly Severity[]; readonly problem_type?: string };

/** What may change of a campaign. */
export interface CampaignFields {
  readonly name: string;
  readonly why: { readonly text: string; readonly url: string | null };
  readonly owner: string;
  readonly scope: CampaignScope;
  readonly goal: CampaignGoal;
  /** Days in UTC, such as 2026-01-31. The day `due` belongs to the campaign. */
  readonly starts: string;
  readonly due: string;
}

/** The most values of a field of a scope. */
const maxValues = 100;

const several = (item: Joi.Schema) =>
  Joi.array()
    .items(item)
    .min(1)
    .max(maxValues)
    .unique()
    .messages({
      "array.base": "must be a list",
      "array.min": "must have a value; leave it out to mean all",
      "array.max": `must have at most ${maxValues} values`,
      "array.unique": "is in the list already",
    });

const team = Joi.object({ area: target.area, team: target.team });

const scope = Joi.object<CampaignScope>({
  areas: several(name(200)).description("The areas"),
  teams: several(team).description("The teams, beside the areas. Without areas and teams it is for all"),
  tier: several(
    Joi.alternatives(whole(0, 1_000), name(200)).messages({
      "alternatives.types": "must be a number or a text",
    }),
  ).description("Only those that are registered with one of these tiers"),
  labels: Joi.object()
    .pattern(name(200), several(text(0, 1_000)))
    .min(1)
    .max(20)
    .messages({
      "object.base": "must be an object of lists by the name of a label",
      "object.min": "must have a label; leave it out to mean all",
      "object.unknown": "must have a name of 1 to 200 printable characters, without a space at either end",
    })
    .description("Only those that are registered with one of the values of each of these labels"),
  env: several(name(200)).description("Only in these environments"),
}).description("The applications that it is for, each in each of its environments");

const min = Joi.number()
  .greater(0)
  .max(100)
  .messages({ "number.base": "must be a number", "number.greater": "must be above 0 and at most 100" })
  .description("The lowest score that reaches it");

const goal = Joi.object({
  metric: Joi.string().max(401).description("A metric as `scorecard.metric`; needs `min`"),
  scorecard: Joi.string().max(200).description("A scorecard; needs `min`"),
  min,
  level: Joi.string().max(200).description("A level of the policy"),
  no_open_problems: several(
    Joi.valid(...severities).messages({ "any.only": `must be one of ${severities.join(", ")}` }),
  ).description("No problem of these severities is open"),
  problem_type: name(200).description(
    "With `no_open_problems`: only problems of this kind, for which each application must have been scanned",
  ),
}).description("What an application has to reach: exactly one of metric, scorecard, level and no_open_problems");

const goalKinds = ["metric", "scorecard", "level", "no_open_problems"] as const;

/** The faults of a goal that its schema does not find. */
export function goalFaults(goal: CampaignGoal | undefined): Fault[] {
  if (!goal) return [];
  const given = goalKinds.filter((kind) => kind in goal);
  const isScored = "metric" in goal || "scorecard" in goal;
  const rules: readonly (readonly [isWrong: boolean, path: string, message: string])[] = [
    [given.length !== 1, "goal", `must have exactly one of ${goalKinds.join(", ")}`],
    [isScored && !("min" in goal), "goal.min", "is required: the lowest score that reaches the goal, such as 100"],
    [!isScored && "min" in goal, "goal.min", "is for a metric or a scorecard alone"],
    ["problem_type" in goal && !("no_open_problems" in goal), "goal.problem_type", "needs no_open_problems"],
  ];
  return rules.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

const fields = {
  name: name(200).description("What it is called"),
  why: Joi.object({
    text: text(1, 1_000).required().description("A sentence for everybody who has to do something for it"),
    url: evidence.allow(null).default(null).description("Where more can be read; begins with https://"),
  }).description("Why it is worth the work"),
  owner: name(200).description("The person or team that answers for it"),
  scope,
  goal,
  starts: dayParameter.description("The day, in UTC, from which on it runs; today without it"),
  due: dayParameter.description("The last day, in UTC"),
};

/** A new campaign. */
export type NewCampaign = Omit<CampaignFields, "starts"> & { readonly starts?: string };

/** The body of POST /campaigns. */
export const newCampaign: Joi.ObjectSchema<NewCampaign> = Joi.object<NewCampaign>({
  ...fields,
  scope: scope.default({}),
})
  .fork(["name", "why", "owner", "goal", "due"], (field) => field.required())
  .prefs(strict);

/** A change of a campaign. */
export type CampaignChange = Partial<CampaignFields> & { readonly state?: Exclude<CampaignState, "draft"> };

/** The body of PATCH /campaigns/{id}. */
export const campaignChange: Joi.ObjectSchema<CampaignChange> = Joi.object<CampaignChange>({
  ...fields,
  state: Joi.valid("running", "ended", "archived")
    .messages({ "any.only": "must be running, ended or archived" })
    .description("`running` starts a draft today, `ended` ends a campaign now, `archived` puts away what is over"),
})
  .min(1)
  .messages({ "object.min": "must have a field to change" })
  .prefs(strict);
