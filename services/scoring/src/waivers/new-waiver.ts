import type { Engine, Fault } from "@maturity/core";
import type Joi from "joi";
import { timeParameter } from "../lists/time.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults } from "../model/fields.ts";
import { maxAcceptedDays } from "../model/limits.ts";
import { uninstalledFault, type WaiverBody, waiverBody } from "../model/waiver.ts";

/** The body of POST /waivers. */
export const newWaiver: Joi.ObjectSchema<WaiverBody> = waiverBody(timeParameter);

/** Checks the body of the request. @throws ServiceError `invalid-payload` with a fault for each wrong field or combination */
export function readNewWaiver(given: object): WaiverBody {
  const { value, error } = newWaiver.validate(given);
  const found = error ? faults(error) : [];
  const paths = new Set(found.map(({ path }) => path));
  const all = [...found, ...combinationFaults(given as Partial<WaiverBody>).filter(({ path }) => !paths.has(path))];
  if (all.length > 0) throw invalidPayload(all);
  return value as WaiverBody;
}

/** The faults of fields that need or exclude each other. */
function combinationFaults(given: Partial<WaiverBody>): Fault[] {
  const { kind, team, app, env, scorecard, metric, problem_type, expires_at } = given;
  const rules: readonly (readonly [isWrong: boolean, path: string, message: string])[] = [
    [app !== undefined && team === undefined, "team", "is required with app"],
    [env !== undefined && app === undefined, "app", "is required with env"],
    [
      scorecard === undefined && problem_type === undefined,
      "scorecard",
      "is required, or problem_type: it says what is waived",
    ],
    [
      scorecard !== undefined && problem_type !== undefined,
      "problem_type",
      "must not stand beside scorecard; a waiver has one of the two",
    ],
    [metric !== undefined && scorecard === undefined, "metric", "needs scorecard, to which the metric belongs"],
    [
      kind === "accepted" && expires_at === undefined,
      "expires_at",
      `is required with the kind accepted: the end of the waiver, at most ${maxAcceptedDays} days ahead`,
    ],
  ];
  return rules.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** @throws ServiceError `unknown-scorecard` or `unknown-metric`, listing the installed names */
export function requireInstalled({ scorecards }: Engine, waiver: Parameters<typeof uninstalledFault>[1]): void {
  const fault = uninstalledFault(scorecards, waiver);
  if (fault) throw new ServiceError(`unknown-${fault.path}`, fault.message, { details: [fault] });
}
