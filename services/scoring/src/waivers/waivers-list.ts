import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import sql, { raw, type Sql } from "sql-template-tag";
import { flag, several, targetFilter } from "../lists/query.ts";
import { type Order, tableRoute } from "../lists/table.ts";
import { timeParameter } from "../lists/time.ts";
import { waiverExample, waiverSchema } from "../lists/waiver-schema.ts";
import { name, text } from "../model/fields.ts";
import { dutiesFault, type Grant, narrow, partsWith, scopesAllowing, unlimited } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type WaiverState, waiverKinds, waiverStates } from "../model/waiver.ts";
import { type Has, isInAny, isOneOf, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { millisOf } from "../store/utc.ts";
import { hasState, inForceNow, type StoredWaiver, waiverColumns } from "../store/waivers.ts";
import { folded } from "./deciders.ts";

const orders = {
  expiry: [
    [`coalesce(${millisOf("expires_at")}, 999999999999999999)`, "bigint"],
    ["id", "uuid"],
  ],
  newest: [
    [`-${millisOf("requested_at")}`, "bigint"],
    ["id", "uuid"],
  ],
  oldest: [
    [millisOf("requested_at"), "bigint"],
    ["id", "uuid"],
  ],
} as const satisfies Readonly<Record<string, Order>>;

interface WaiverQuery extends TargetFilter {
  readonly scorecard?: readonly string[];
  readonly metric?: readonly string[];
  readonly problem_type?: readonly string[];
  readonly kind?: readonly string[];
  readonly owner?: readonly string[];
  readonly state?: readonly WaiverState[];
  readonly requested_by?: "me";
  readonly decidable?: boolean;
  readonly ends_before?: string;
  readonly all: boolean;
  /** The caller, for queries whose answer depends on it. */
  readonly viewer?: Grant;
  readonly sort: keyof typeof orders;
}

/** SQL that a waiver covers a name, such as a waiver of its whole team. */
const covers: Has = (column, value) => sql`(${column} IS NULL OR ${column} = ${value})`;

const texts = several(text(1, 200));

/** GET /waivers */
export function waiversListRoute(database: Database): ServerRoute {
  return tableRoute<WaiverQuery, StoredWaiver>(database, {
    path: "/waivers",
    operationId: "listWaivers",
    summary: "Waivers, those in force unless `state`, `all` or `decidable` says otherwise",
    parameters: {
      area: targetFilter.area.description("Only what waives something of these areas"),
      team: targetFilter.team.description("Only what waives something of these teams, be it by its area"),
      app: targetFilter.app.description("Only what waives something of these apps, be it by their team or area"),
      env: targetFilter.env.description("Only what waives something of these environments"),
      scorecard: texts.description("Only what waives these scorecards, or a metric of them"),
      metric: texts.description(
        "Only what waives one of these metrics by name; with the name of its scorecard, such as `security.sast`, only of that scorecard, be it all of it",
      ),
      problem_type: several(name(200)).description("Only what waives these kinds of problems"),
      kind: several(Joi.valid(...waiverKinds)).description("Only of these kinds"),
      owner: several(name(200)).description("Only what one of these answers for"),
      state: several(Joi.valid(...waiverStates)).description(
        "Only in these states; without it those in force, or with `decidable` the requests",
      ),
      requested_by: Joi.valid("me").description("`me`: only what the caller asked for"),
      decidable: Joi.boolean().description(
        "`true`: only requests that the caller may approve or reject, within its bounds and asked for by somebody else",
      ),
      ends_before: timeParameter.description(
        "Only those that end before this day or time; a day stands for its first moment",
      ),
      all: flag("Those in every state, unless `state` names some"),
      sort: Joi.valid(...Object.keys(orders))
        .default("expiry")
        .description(
          "`expiry`: what ends first; what never ends comes last; `newest`, `oldest`: by when they were asked for",
        ),
    },
    item: { name: "Waiver", schema: waiverSchema, example: waiverExample },
    ofCaller: ({ requested_by, decidable }, viewer) => (requested_by || decidable ? { viewer } : {}),
    select: (
      {
        sort,
        all,
        state,
        requested_by,
        decidable,
        ends_before,
        viewer = unlimited,
        scorecard,
        metric,
        problem_type,
        kind,
        owner,
        ...filter
      },
      grant,
    ) => ({
      from: sql`waivers_by_name`,
      where: [
        sql`is_shown`,
        ...within(narrow(grant, filter), covers),
        ...isOneOf({ scorecard, problem_type, kind, owner }),
        ...waivesMetric(metric),
        ...(ends_before === undefined ? [] : [sql`expires_at < ${ends_before}::timestamptz`]),
        ...(requested_by ? [isOf(viewer)] : []),
        ...(decidable ? isDecidableBy(viewer) : []),
        ...inStates(state, all || decidable === true),
      ],
      order: orders[sort],
      columns: waiverColumns,
    }),
  });
}

/**
 * The condition that a waiver is one of these metrics by `metric`, or by `scorecard.metric` also of the whole scorecard.
 * Neither name has a point.
 */
function waivesMetric(names: readonly string[] | undefined): Sql[] {
  if (!names) return [];
  const whole = names.filter((name) => name.includes(".")).map((name) => name.split(".")[0]);
  return [
    sql`metric = ANY(${names}::text[]) OR scorecard || '.' || metric = ANY(${names}::text[])
      OR metric IS NULL AND scorecard = ANY(${whole}::text[])`,
  ];
}

/** The condition that a waiver has one of these states; without them that it is in force, or none for `all`. */
function inStates(states: readonly WaiverState[] | undefined, all: boolean): Sql[] {
  if (states) return [raw(states.map((state) => `(${hasState[state]})`).join(" OR ") || "false")];
  return all ? [] : [raw(inForceNow)];
}

/** The condition of what a caller asked for. */
function isOf({ caller, name }: Grant): Sql {
  return sql`requester = ${caller}::text OR requester IS NULL AND requested_by = ${name}::text`;
}

/** The conditions of the requests that a caller may approve or reject, as `requireDecider` says. */
function isDecidableBy(viewer: Grant): Sql[] {
  const { caller, name, parts } = partsWith(viewer, scopesAllowing("waiver:write"));
  if (parts.length === 0 || viewer === unlimited || dutiesFault(viewer) !== undefined) return [sql`false`];
  return [
    raw(hasState.requested),
    sql`requester IS DISTINCT FROM ${caller}::text AND lower(requested_by) <> ${folded(name)}::text`,
    ...isInAny(parts.map(({ bounds }) => bounds)),
  ];
}
