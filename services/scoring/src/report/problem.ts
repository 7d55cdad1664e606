import type { ServerRoute } from "@hapi/hapi";
import { type AlertQueue, type AlertState, tell } from "../alerts/queue.ts";
import { grantOf } from "../auth/scheme.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { invalidPayload } from "../model/errors.ts";
import { faults } from "../model/fields.ts";
import { oneOf, requireWithin } from "../model/grant.ts";
import { maxEntries } from "../model/limits.ts";
import { detailBody, problemFrame } from "../model/problem.ts";
import { withStore } from "../store/database.ts";
import type { Problem, ProblemDetail } from "../store/problems.ts";
import type { ProblemWriter } from "../store/writing/problem-writer.ts";
import { readEntries } from "./entries.ts";

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
      let alert: AlertState = "not_needed";
      const stored = await withStore(() =>
        problems.save({
          problem,
          async also(trx, stored) {
            alert = await tell(trx, problem, stored, alerts);
          },
          isAwaited: () => request.active(),
        }),
      );
      return { ...problem, opened_at: stored.opened_at, reported_at: stored.reported_at, alert };
    }),
  };
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
