import type { Severity, Target } from "@maturity/core";
import { maxEntries, severities } from "@maturity/core/wire";
import Joi from "joi";
import { instant, name, strict, target, text, whole } from "./fields.ts";

/** The location of a finding. */
export interface ProblemDetail {
  readonly file: string;
  readonly line?: number;
  readonly description?: string;
}

/** The open findings of one type in one target. A `count` of 0 means that there are none, or none any more. */
export interface Problem extends Target {
  readonly problem_type: string;
  readonly severity: Severity;
  readonly count: number;
  readonly details: readonly ProblemDetail[];
  readonly chat_channel?: string;
  /** When it was scanned, as RFC 3339; when it is reported if absent. */
  readonly measured_at?: string;
}

/** Whether the submission of a problem queues an alert, and if not, why. */
export const alertStates = ["queued", "disabled", "no_channel", "not_needed", "waived", "held"] as const;

export type AlertState = (typeof alertStates)[number];

const maxCount = 2_147_483_647;

/** An entry of `details`. */
export const detailBody: Joi.ObjectSchema = Joi.object({
  file: text(1, 4096).required().description("Path of the file"),
  line: whole(0, maxCount).description("Line in the file"),
  description: text(0, 4000).description("What was found; never the secret itself"),
}).prefs(strict);

/** The largest number of details. A list is no number: to make one of it would overflow the stack where it is deep. */
function mostDetails(count: unknown): number {
  return typeof count === "object" ? Number.NaN : Math.min(Number(count), maxEntries);
}

const details = Joi.array()
  .max(Joi.ref("count", { adjust: mostDetails }))
  .default([])
  .description("The findings; at most 1,000, and no more than `count`")
  .messages({
    "array.max": "must have at most 1,000 entries, and no more than count",
    "any.ref": "cannot be checked without a valid count",
  });

/** The body of POST /problem/scan-result. The entries of `details` are checked one by one. */
export const problemFrame: Joi.ObjectSchema<Problem> = Joi.object<Problem>({
  ...target,
  problem_type: name(200).required().description("Kind of finding, such as `terraform_secret`"),
  severity: Joi.string()
    .valid(...severities)
    .insensitive()
    .required()
    .messages({ "any.only": `must be one of ${severities.join(", ")}` }),
  count: whole(0, maxCount).required().description("Number of findings; 0 resolves the problem"),
  details,
  chat_channel: name(200).description("Where to send the alert"),
  measured_at: instant.description(
    "When it was scanned, at most 5 minutes ahead and at most 400 days ago; by default when it is reported",
  ),
}).prefs(strict);

/** The body of POST /problem/scan-result. */
export const problemBody: Joi.ObjectSchema<Problem> = problemFrame.keys({ details: details.items(detailBody) });
