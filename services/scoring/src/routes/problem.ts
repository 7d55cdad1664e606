import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import type { AlertQueue } from "../alerts/queue.ts";
import { oneOf, requireWithin } from "../auth/grant.ts";
import { grantOf } from "../auth/scheme.ts";
import { invalidPayload } from "../errors.ts";
import { type Database, withStore } from "../store/database.ts";
import { type Problem, saveProblem, severities } from "../store/problems.ts";
import { jsonPayload, limitFields, readObject } from "./body.ts";
import { faults, name, strict, target, text } from "../fields.ts";

const maxCount = 2_147_483_647;
const maxDetails = 1_000;

const detail = Joi.object({
  file: text(1, 4096).required().description("Path of the file"),
  line: Joi.number().integer().min(0).max(maxCount).description("Line in the file"),
  description: text(0, 4000).description("What was found; never the secret itself"),
});

/** The body of POST /problem/scan-result. */
export const problemBody: Joi.ObjectSchema<Problem> = Joi.object<Problem>({
  ...target,
  problem_type: name(200).required().description("Kind of finding, such as `terraform_secret`"),
  severity: Joi.string()
    .valid(...severities)
    .insensitive()
    .required()
    .messages({ "any.only": `must be one of ${severities.join(", ")}` }),
  count: Joi.number()
    .integer()
    .min(0)
    .max(maxCount)
    .required()
    .description("Number of findings; 0 resolves the problem"),
  details: Joi.array()
    .items(detail)
    .max(Joi.ref("count", { adjust: (count: number) => Math.min(count, maxDetails) }))
    .default([])
    .description("The findings; at most 1,000, and no more than `count`")
    .messages({
      "array.max": "must have at most 1,000 entries, and no more than count",
      "any.ref": "cannot be checked without a valid count",
    }),
  chat_channel: name(200).description("Where to send the alert"),
}).prefs(strict);

/** What became of the alert of a report. */
export const alertStates = ["queued", "disabled", "no_channel", "not_needed"] as const;

/** POST /problem/scan-result: stores the state of a problem and, in the same transaction, queues its alert. */
export function problemRoute(deps: { database: Database; alerts: AlertQueue | undefined }): ServerRoute {
  const { database, alerts } = deps;
  return {
    method: "POST",
    path: "/problem/scan-result",
    options: { auth: { access: { scope: oneOf("problem:write") } }, payload: jsonPayload },
    async handler(request) {
      const problem = readProblem(await readObject(request.payload));
      requireWithin(grantOf(request), problem);
      const channel = problem.chat_channel ?? alerts?.defaultChannel;
      const alert = alertState(problem, alerts, channel);
      const stored = await withStore((requireAwaited) =>
        database.knex.transaction(async (trx) => {
          const saved = await saveProblem(trx, problem);
          if (alerts && channel && saved.thread) await alerts.enqueue(trx, { problem, channel, thread: saved.thread });
          requireAwaited();
          return saved;
        }),
      );
      return { ...problem, opened_at: stored.opened_at, reported_at: stored.reported_at, alert };
    },
  };
}

function alertState(
  { count }: Problem,
  alerts: AlertQueue | undefined,
  channel: string | undefined,
): (typeof alertStates)[number] {
  if (count === 0) return "not_needed";
  if (!alerts) return "disabled";
  return channel === undefined ? "no_channel" : "queued";
}

function readProblem(body: Record<string, unknown>): Problem {
  const { value, error } = problemBody.validate({ ...body, ...boundedDetails(body) });
  if (error) throw invalidPayload(faults(error));
  return { ...value, severity: value.severity.toLowerCase() as Problem["severity"] };
}

/** Of too many details one more than allowed: enough to refuse them, without listing the faults of each. */
function boundedDetails({ details }: Record<string, unknown>): { details?: unknown[] } {
  if (!Array.isArray(details)) return {};
  const bounded = details.slice(0, maxDetails + 1);
  for (const [index, detail] of bounded.entries()) {
    if (typeof detail === "object" && detail !== null) limitFields(detail, `details[${index}]`);
  }
  return { details: bounded };
}
