import { metricIds } from "@maturity/core/wire";
import type Joi from "joi";
import { type CampaignFields, type CampaignGoal, goalFaults } from "../model/campaign.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults } from "../model/fields.ts";
import { nearName } from "../model/near-name.ts";
import type { Rules } from "../policy/rules.ts";

/** The rules that goals name. */
export type CampaignRules = Pick<Rules, "scorecards" | "levels">;

/**
 * Checks a body, and its goal against what is installed.
 *
 * @throws ServiceError `invalid-payload` with each fault; `unknown-metric` or `unknown-scorecard`
 */
export function checked<Body extends { readonly goal?: CampaignGoal }>(
  schema: Joi.ObjectSchema<Body>,
  given: object,
  rules: CampaignRules,
): Body {
  const { value, error } = schema.validate(given);
  const found = error ? faults(error) : [];
  if (!found.some(({ path }) => path.startsWith("goal"))) found.push(...goalFaults((value as Body | undefined)?.goal));
  if (found.length > 0) throw invalidPayload(found);
  const { goal } = value as Body;
  if (goal) requireKnown(goal, rules);
  return value as Body;
}

/** @throws ServiceError */
function requireKnown(goal: CampaignGoal, { scorecards, levels }: CampaignRules): void {
  const known = {
    metric: metricIds(scorecards),
    scorecard: scorecards.map(({ name }) => name),
    level: levels.map(({ name }) => name),
  };
  for (const kind of ["metric", "scorecard", "level"] as const) {
    const [name, names] = [(goal as { readonly [Kind in typeof kind]?: string })[kind], known[kind]];
    if (name === undefined || names.includes(name)) continue;
    const near = nearName(name, names);
    const hint = near === undefined ? `there are ${names.join(", ") || "none"}` : `did you mean ${near}?`;
    const fault = { path: `goal.${kind}`, message: `there is no ${kind} named ${JSON.stringify(name)}; ${hint}` };
    if (kind === "level") throw invalidPayload([fault]);
    throw new ServiceError(`unknown-${kind}`, fault.message, { details: [fault] });
  }
}

/** @throws ServiceError `invalid-payload` unless the days of a campaign follow each other, and the last one is ahead where it runs */
export function requireDays({ starts, due }: Pick<CampaignFields, "starts" | "due">, today: string): void {
  if (due < starts) throw invalidPayload([{ path: "due", message: `must not be before starts, ${starts}` }]);
  if (due <= today) throw invalidPayload([{ path: "due", message: `must be after today, ${today} in UTC` }]);
}
