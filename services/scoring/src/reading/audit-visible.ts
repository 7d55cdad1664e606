import type { Target } from "@maturity/core";
import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Bounded, type Bounds, isAll, isIn, isWithin, reachesInto } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type AuditAction, type AuditEntry, auditKinds } from "../store/audit.ts";
import { conjunction, type Has, isInAny, within } from "../store/conditions.ts";

/** The details of an action on a waiver, which `GET /waivers` shows too. */
const ofWaiver = [
  ...["id", "kind", "scorecard", "metric", "problem_type", "reason", "owner", "expires_at"],
  ...["requested_by", "evidence", "extends", "comment"],
];

/** Without the scope, which may name areas and teams of others. */
const ofCampaign = ["id", "name", "why", "owner", "goal", "starts", "due", "state"];

const ofBadge = ["id", "shows", "scorecard", "metric"];

/** The details of each action that a reader sees. What is absent only an admin sees, and sees whole. */
const readable: Readonly<Partial<Record<AuditAction, readonly string[]>>> = {
  "app.register": ["registered", "changed", "apps", "effect"],
  "app.hold": ["applications"],
  "app.release": ["applications"],
  "app.move": ["to", "merge", "apps", "scores", "problems", "merged"],
  "app.retire": ["scores", "problems", "reason"],
  "app.restore": ["scores", "problems"],
  ...Object.fromEntries(auditKinds.waiver.map((action) => [action, ofWaiver])),
  ...Object.fromEntries(auditKinds.campaign.map((action) => [action, ofCampaign])),
  ...Object.fromEntries(auditKinds.badge.map((action) => [action, ofBadge])),
  // Neither the path of a file of the operator nor what the rules do to applications of others.
  "policy.load": ["changes"],
  "replay.apply": ["scorers", "phase"],
};

/** SQL of the actions that a reader sees. */
const isReadable = raw(`action IN ('${Object.keys(readable).join("', '")}')`);

/** An action that has names of its own, or none. */
type Named = Readonly<Record<keyof Target, string | null>>;

/** An action with its details. */
export type Detailed = Named & Pick<AuditEntry, "action" | "details">;

/** SQL of a part of the scope of a campaign: an area without a team, or a team. */
const scopeParts = sql`
  SELECT value #>> '{}' AS area, NULL AS team, NULL AS app, NULL AS env
  FROM jsonb_array_elements(coalesce(details -> 'scope' -> 'areas', '[]'))
  UNION ALL
  SELECT value ->> 'area', value ->> 'team', NULL, NULL
  FROM jsonb_array_elements(coalesce(details -> 'scope' -> 'teams', '[]'))`;

/**
 * How an action concerns names: they are its own; a waiver covers them; they or what they are within moved, or something moved
 * there; a campaign for several areas or teams has them among these.
 */
const ways: readonly {
  readonly has: Has;
  readonly all: (conditions: Sql) => Sql;
}[] = [
  { has: (field, value) => sql`${field} = ${value}`, all: (conditions) => conditions },
  {
    has: (field, value) => sql`(${field} IS NULL OR ${field} = ${value})`,
    all: (conditions) => sql`action LIKE 'waiver.%' AND ${conditions}`,
  },
  // A move names no environment.
  {
    has: (field, value) => sql`coalesce(${field} = ${value}, '${field}' <> 'env')`,
    all: (conditions) => sql`action = 'app.move' AND ${conditions}`,
  },
  {
    has: (field, value) => sql`coalesce(details -> 'to' ->> '${field}' = ${value}, '${field}' <> 'env')`,
    all: (conditions) => sql`action = 'app.move' AND ${conditions}`,
  },
  {
    has: (field, value) => sql`(part.${field} IS NULL OR part.${field} = ${value})`,
    all: (conditions) =>
      sql`action LIKE 'campaign.%' AND area IS NULL AND EXISTS (SELECT FROM (${scopeParts}) AS part WHERE ${conditions})`,
  },
];

/** SQL of what concerns everybody: the rules, and campaigns for all. */
const ofAll = sql`action IN ('policy.load', 'replay.apply')
  OR action LIKE 'campaign.%' AND coalesce(details -> 'scope' -> 'areas', details -> 'scope' -> 'teams') IS NULL`;

/** The conditions of what concerns the names of all these filters: one way must fit each of them. */
export function concerning(...filters: readonly TargetFilter[]): Sql[] {
  const termsOf = (has?: Has) => filters.flatMap((filter) => within(filter, has));
  if (termsOf().length === 0) return [];
  return [join([...ways.map(({ has, all }) => sql`(${all(conjunction(termsOf(has)))})`), ofAll], " OR ")];
}

/**
 * The conditions of the actions that a caller sees, among those that concern its bounds: what a reader sees, and the others
 * within bounds with the scope `admin`. Whoever has it without bounds sees all.
 */
export function visibleTo(admin: readonly Bounds[]): Sql[] {
  if (admin.some(isAll)) return [];
  return [join([isReadable, ...isInAny(admin)], ") OR (", "(", ")")];
}

/**
 * The details that a caller sees: all of them within bounds with the scope `admin`. Of a move it sees the new name only if that
 * reaches into its bounds, and how much moved only if either name is within them.
 */
export function visibleDetails(
  { action, details, ...names }: Detailed,
  grant: Bounded,
  admin: readonly Bounds[],
): AuditEntry["details"] {
  const isWhole = admin.some((bounds) => isIn(bounds, names));
  const to = (action === "app.move" && details.to) as Partial<Target> | false | undefined;
  const isBeyond = to && !isWithin(grant, names) && !isWithin(grant, to);
  const shown = Object.entries(details).filter(([field]) => {
    if (to && field === "to") return reachesInto(grant, to);
    return isWhole || (readable[action]?.includes(field) && !isBeyond);
  });
  return Object.fromEntries(shown);
}
