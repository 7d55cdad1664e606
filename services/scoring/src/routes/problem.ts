import type { ServerRoute } from "@hapi/hapi";
import type { AlertQueue } from "../alerts/queue.ts";
import { oneOf, requireWithin } from "../auth/grant.ts";
import { grantOf } from "../auth/scheme.ts";
import { invalidPayload } from "../errors.ts";
import { faults } from "../fields.ts";
import { maxEntries } from "../limits.ts";
import { detailBody, problemFrame } from "../problem-body.ts";
import { withStore } from "../store/database.ts";
import type { ProblemWriter } from "../store/problem-writer.ts";
import type { Problem, ProblemDetail } from "../store/problems.ts";
import { handleObject, jsonPayload } from "./body.ts";
import { readEntries } from "./entries.ts";

/** What became of the alert of a report. */
export const alertStates = ["queued", "disabled", "no_channel", "not_needed"] as const;

/** POST /problem/scan-result: stores the state of a problem and, in the same transaction, queues its alert. */
export function problemRoute(deps: { problems: ProblemWriter; alerts: AlertQueue | undefined }): ServerRoute {
  const { problems, alerts } = deps;
  return {
    method: "POST",
    path: "/problem/scan-result",
    options: { auth: { access: { scope: oneOf("problem:write") } }, payload: jsonPayload },
    handler: handleObject(async (body, request) => {
      const problem = await readProblem(body);
      requireWithin(grantOf(request), problem);
      const channel = problem.chat_channel ?? alerts?.defaultChannel;
      const alert = alertState(problem, alerts, channel);
      const stored = await withStore(() =>
        problems.save({
          problem,
          async also(trx, { thread }) {
            if (alerts && channel && thread) await alerts.enqueue(trx, { problem, channel, thread });
          },
          isAwaited: () => request.active(),
        }),
      );
      return { ...problem, opened_at: stored.opened_at, reported_at: stored.reported_at, alert };
    }),
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

async function readProblem(body: Record<string, unknown>): Promise<Problem> {
  const { value, error } = problemFrame.validate(body);
  const found = error ? faults(error) : [];
  const sent = Array.isArray(body.details) ? body.details.slice(0, maxEntries) : [];
  const details = await readEntries("details", sent, readDetail, found);
  return { ...value, details, severity: value.severity.toLowerCase() as Problem["severity"] };
}

function readDetail(detail: object): ProblemDetail {
  const { error } = detailBody.validate(detail);
  if (error) throw invalidPayload(faults(error));
  return detail as ProblemDetail;
}
