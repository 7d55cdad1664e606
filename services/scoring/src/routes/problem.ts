import type { ServerRoute } from "@hapi/hapi";
import { type AlertQueue, type AlertState, tell } from "../alerts/queue.ts";
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
