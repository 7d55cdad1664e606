import type { ServerRoute } from "@hapi/hapi";
import type { Severity } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import Joi from "joi";
import sql from "sql-template-tag";
import { itemFields } from "../lists/items.ts";
import { flag, several, targetFilter } from "../lists/query.ts";
import { byNames, type Order, tableRoute } from "../lists/table.ts";
import { name } from "../model/fields.ts";
import { narrow } from "../model/grant.ts";
import { detailBody } from "../model/problem.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { count, type Json, jsonSchema, object, textOrNull, timeOrNull } from "../openapi/operation.ts";
import { isOneOf, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { microsOf } from "../store/utc.ts";
import { isProblemWaived } from "../store/waivers.ts";

/** SQL of when a problem was resolved last; null while it is open, and if it never was. */
const resolvedAt = "CASE WHEN count = 0 THEN (past_openings -> -1 ->> 'resolved_at')::timestamptz END";

/** SQL of how long it was open then, in seconds. */
const openSeconds = `round(extract(epoch FROM ${resolvedAt} - (past_openings -> -1 ->> 'opened_at')::timestamptz))::float8`;

/** SQL of the time of opening; resolved problems sort last. */
const age = `coalesce(${microsOf("opened_at")}, 999999999999999999)`;

/** SQL of the rank of a severity; the gravest has the least. */
export const severityRank: string = `array_position(ARRAY['${severities.join("', '")}'], severity)`;

/** The cheapest order: that of the unique index. */
const byKey: Order = [
  ["target_id", "bigint"],
  ["problem_type", "text"],
];

const orders: Readonly<Record<string, Order>> = {
  age: [[age, "bigint"], ...byKey],
  severity: [[severityRank, "bigint"], [age, "bigint"], ...byKey],
  resolved: [[`coalesce(-${microsOf(resolvedAt)}, 999999999999999999)`, "bigint"], ...byKey],
  name: byNames("area", "team", "app", "env", "problem_type"),
};

/** Which problems are wanted. */
export interface ProblemFilter extends TargetFilter {
  readonly severity?: readonly Severity[];
  readonly problem_type?: readonly string[];
}

/** The parameters of a `ProblemFilter`. */
export const problemFilter: Joi.PartialSchemaMap = {
  ...targetFilter,
  severity: several(Joi.valid(...severities)).description("Only of these severities"),
  problem_type: several(name(200)).description("Only of these kinds"),
};

interface ProblemQuery extends ProblemFilter {
  readonly all: boolean;
  readonly resolved?: boolean;
  readonly sort: keyof typeof orders;
  readonly detail: boolean;
}

const { area, team, app, env, time } = itemFields;

const schema = object(
  {
    ...{ area, team, app, env },
    problem_type: { type: "string", description: "Kind of finding, such as `terraform_secret`" },
    severity: { enum: severities },
    count: { ...count, description: "Number of findings; 0 if it is resolved" },
    opened_at: { ...timeOrNull, description: "Since when it is open; null if it is resolved" },
    resolved_at: { ...timeOrNull, description: "When it was resolved; null while it is open, and if it never was" },
    open_seconds: {
      type: ["number", "null"],
      minimum: 0,
      description: "How many seconds it was open until then; null where there is no `resolved_at`",
    },
    measured_at: { ...time, description: "When it was scanned" },
    reported_at: { ...time, description: "When it was reported" },
    chat_channel: { ...textOrNull, description: "Where its alerts go, if the report said so" },
    alert: { enum: ["waived", null], description: "`waived` while a waiver keeps its alerts from being sent" },
  },
  {
    details: { type: "array", items: jsonSchema(detailBody), description: "The findings; only with `detail`" },
  },
);

const example: Json = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", problem_type: "terraform_secret", severity: "high" },
  ...{
    count: 1,
    opened_at: "2026-02-27T08:15:00.000Z",
    resolved_at: null,
    open_seconds: null,
    measured_at: "2026-03-01T08:14:21.000Z",
    reported_at: "2026-03-01T08:15:00.000Z",
    chat_channel: null,
    alert: null,
  },
};

const shownColumns = `area, team, app, env, problem_type, severity, count, opened_at, ${resolvedAt} AS resolved_at,
  ${openSeconds} AS open_seconds, measured_at, reported_at, chat_channel,
  CASE WHEN ${isProblemWaived("page")} THEN 'waived' END AS alert`;

/** GET /problems */
export function problemsListRoute(database: Database): ServerRoute {
  return tableRoute<ProblemQuery>(database, {
    path: "/problems",
    operationId: "listProblems",
    summary: "Problems, the open ones unless `all` is true",
    parameters: {
      ...problemFilter,
      all: flag("Resolved ones too"),
      resolved: Joi.boolean().description(
        "`true`: only those that were open and are resolved; `false`: only those that are open, whatever `all` is",
      ),
      sort: Joi.valid(...Object.keys(orders))
        .default("age")
        .description(
          "`age`: the oldest first; `severity`: the gravest first, then the oldest; `resolved`: what was resolved last first; `name`: by names",
        ),
      detail: flag("Adds the findings"),
    },
    item: { name: "StoredProblem", schema, example },
    select: ({ sort, detail, all, resolved, severity, problem_type, ...filter }, grant) => ({
      from: sql`problems_by_name`,
      where: [
        ...within(narrow(grant, filter)),
        ...isOneOf({ severity, problem_type }),
        ...(resolved ? [sql`count = 0 AND past_openings IS NOT NULL`] : []),
        ...(resolved === false || !(all || resolved) ? [sql`count > 0`] : []),
      ],
      order: orders[sort] ?? byKey,
      columns: shownColumns,
      ...(detail && { large: "details" }),
    }),
  });
}
