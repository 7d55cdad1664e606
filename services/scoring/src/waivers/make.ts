import type { ServerRoute } from "@hapi/hapi";
import type { Engine, Fault } from "@maturity/core";
import { grantOf } from "../auth/scheme.ts";
import { handleObject, jsonPayload } from "../http/body.ts";
import { timeParameter } from "../lists/time.ts";
import { waiverSchema } from "../lists/waiver-schema.ts";
import { invalidPayload, ServiceError } from "../model/errors.ts";
import { faults } from "../model/fields.ts";
import { oneOf, requireApart, requireWithin } from "../model/grant.ts";
import { maxAcceptedDays } from "../model/limits.ts";
import { type NewWaiver, waiverBody } from "../model/waiver.ts";
import { bodyErrors, jsonBody, jsonResponse, jsonSchema, type Operation, withExamples } from "../openapi/operation.ts";
import { recordAudit } from "../store/audit.ts";
import { type Database, withStore } from "../store/database.ts";
import { insertWaiver, type WrongEnd } from "../store/waivers.ts";
import { auditOf } from "./audit-of.ts";

const body = waiverBody(timeParameter);

const operation: Operation = {
  operationId: "makeWaiver",
  tags: ["decide"],
  summary: "Waive a scorecard, a metric or a kind of problem. Needs the scope `waiver:write`",
  requestBody: jsonBody("WaiverRequest"),
  responses: { 201: jsonResponse("In force from now on", "Waiver") },
  errors: bodyErrors(["unknown-scorecard", "unknown-metric"]),
  schemas: { WaiverRequest: withExamples(jsonSchema(body)), Waiver: waiverSchema },
};

/** POST /waivers: stores a waiver, which is in force from this moment on, and the deed in the same transaction. */
export function makeWaiverRoute({ engine, database }: { engine: Engine; database: Database }): ServerRoute {
  return {
    method: "POST",
    path: "/waivers",
    options: {
      auth: { access: { scope: oneOf("waiver:write") } },
      payload: jsonPayload,
      plugins: { openapi: operation },
    },
    handler: handleObject(async (given, request, h) => {
      const grant = grantOf(request);
      requireApart(grant);
      const waiver = readWaiver(given);
      requireRegistered(engine, waiver);
      requireWithin(grant, waiver);
      const made = await withStore(() =>
        database.knex.transaction(async (trx) => {
          const stored = await insertWaiver(trx, waiver, grant.name);
          if (typeof stored === "string") return stored;
          await recordAudit(trx, auditOf("waiver.create", grant.name, stored));
          return stored;
        }),
      );
      if (typeof made === "string") throw invalidPayload([{ path: "expires_at", message: wrongEnds[made] }]);
      return h.response(made).code(201);
    }),
  };
}

const wrongEnds: Readonly<Record<WrongEnd, string>> = {
  past: "must be ahead of now, by the database's clock",
  far: `must be at most ${maxAcceptedDays} days ahead; what stays so for longer is waived anew, when somebody has looked at it again`,
};

/** @throws ServiceError `invalid-payload`, naming each field that is wrong or does not go with the others */
function readWaiver(given: object): NewWaiver {
  const { value, error } = body.validate(given);
  const found = error ? faults(error) : [];
  const paths = new Set(found.map(({ path }) => path));
  const all = [...found, ...disagreements(given as Partial<NewWaiver>).filter(({ path }) => !paths.has(path))];
  if (all.length > 0) throw invalidPayload(all);
  return value as NewWaiver;
}

/** The faults of fields that do not go together. */
function disagreements(given: Partial<NewWaiver>): Fault[] {
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
      "must not stand beside scorecard; a waiver is of one of the two",
    ],
    [metric !== undefined && scorecard === undefined, "metric", "needs scorecard, to which the metric belongs"],
    [
      kind === "accepted" && expires_at === undefined,
      "expires_at",
      `is required of what is accepted: when it ends, at most ${maxAcceptedDays} days ahead`,
    ],
  ];
  return rules.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/**
 * A waiver of what nobody knows would waive nothing, and nobody would notice.
 *
 * @throws ServiceError `unknown-scorecard` or `unknown-metric`, listing those that are registered
 */
function requireRegistered({ scorecards }: Engine, { scorecard, metric }: NewWaiver): void {
  if (scorecard === undefined) return;
  const found = scorecards.find(({ name }) => name === scorecard);
  if (!found) throw unknown("scorecard", "scorecard", scorecard, scorecards);
  if (metric === undefined || found.metrics.some(({ name }) => name === metric)) return;
  throw unknown("metric", `metric of ${scorecard}`, metric, found.metrics);
}

function unknown(
  path: "scorecard" | "metric",
  kind: string,
  name: string,
  known: readonly { readonly name: string }[],
): ServiceError {
  const message = `there is no ${kind} named ${JSON.stringify(name)}; registered: ${known.map(({ name }) => name).join(", ")}`;
  return new ServiceError(`unknown-${path}`, message, { details: [{ path, message }] });
}
