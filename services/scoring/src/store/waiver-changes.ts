import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import type { Grant } from "../model/grant.ts";
import { maxAcceptedDays, maxRequests, maxWaivers, requestDays } from "../model/limits.ts";
import type { MadeState, NewWaiver, WaiverKind } from "../model/waiver.ts";
import { query } from "./sql.ts";
import { hasState, inForceNow, isUndecided, type StoredWaiver, waiverColumns } from "./waivers.ts";

/** Why a waiver cannot be stored or approved: its end is past or too far ahead, or there are too many. */
export type Unstorable = "past" | "far" | "full" | "area-full" | "area-asked" | "caller-asked";

/** What decides whether a waiver can be stored or approved. */
interface Storable {
  readonly kind: WaiverKind;
  /** The current one. */
  readonly area: string;
  readonly expires_at?: string | Date | null;
}

const hoursAgo = (hours: number) => raw(`(statement_timestamp() - make_interval(hours => ${hours}))`);
const aDayAgo = hoursAgo(24);

/**
 * Why a waiver cannot have this state now, by the database's clock; undefined if it can. Waivers that are stored at the
 * same moment do not count each other.
 */
export async function findUnstorable(
  trx: Knex,
  { kind, area, expires_at }: Storable,
  state: MadeState,
  caller: string,
): Promise<Unstorable | undefined> {
  const mostDays = kind === "accepted" ? maxAcceptedDays : null;
  const [ends] = await query(trx)`
    SELECT ${expires_at}::timestamptz <= clock_timestamp() AS past,
      ${expires_at}::timestamptz > clock_timestamp() + make_interval(hours => 24 * ${mostDays}::int) AS far
  `;
  if (ends.past) return "past";
  if (ends.far) return "far";
  return state === "approved" ? findFull(trx, area) : findAskedTooMuch(trx, area, caller);
}

async function findFull(trx: Knex, area: string): Promise<Unstorable | undefined> {
  const [found] = await query(trx)`
    SELECT count(*) FILTER (WHERE area = ${area}::text)::int AS area, count(*)::int AS "all" FROM waivers_by_name
    WHERE ends_at > ${aDayAgo} AND (created_at > ${aDayAgo} OR (${raw(inForceNow)}))
  `;
  if (found.area >= maxWaivers.area) return "area-full";
  return found.all >= maxWaivers.all ? "full" : undefined;
}

async function findAskedTooMuch(trx: Knex, area: string, caller: string): Promise<Unstorable | undefined> {
  const [found] = await query(trx)`
    SELECT count(*) FILTER (WHERE area = ${area}::text)::int AS area,
      count(*) FILTER (WHERE requester = ${caller}::text)::int AS caller
    FROM waivers_by_name
    WHERE created_at IS NULL AND requested_at > ${hoursAgo(24 * requestDays)}
      AND (decision IS NULL OR requested_at > ${aDayAgo})
  `;
  if (found.caller >= maxRequests.caller) return "caller-asked";
  return found.area >= maxRequests.area ? "area-asked" : undefined;
}

/**
 * Stores a waiver for which `findUnstorable` finds nothing. An approved one is in force from now on.
 *
 * @param waiver under the current name of its application, team or area, with the id of the application
 */
export async function insertWaiver(
  trx: Knex,
  waiver: NewWaiver & { readonly application_id: number | null },
  state: MadeState,
  { name, caller }: Pick<Grant, "name" | "caller">,
): Promise<StoredWaiver> {
  const { kind, application_id, area, team, env, scorecard, metric, problem_type, reason, owner } = waiver;
  const { evidence, extends: before, expires_at } = waiver;
  const isOfApp = application_id !== null;
  const [made] = await query(trx)`
    WITH clock AS MATERIALIZED (
      SELECT date_trunc('milliseconds', clock_timestamp()) AS time, ${state === "approved"}::boolean AS approves
    )
    INSERT INTO waivers
      (kind, application_id, area, team, env, scorecard, metric, problem_type, reason, owner, evidence, extends, expires_at,
       requested_by, requester, requested_at, decision, decided_at, decided_by)
    SELECT ${kind}::text, ${application_id}::int, ${isOfApp ? null : area}::text, ${isOfApp ? null : team}::text,
      ${env}::text, ${scorecard}::text, ${metric}::text, ${problem_type}::text, ${reason}::text, ${owner}::text,
      ${evidence}::text, ${before}::uuid, ${expires_at}::timestamptz, ${name}::text, ${caller}::text, time,
      CASE WHEN approves THEN 'approved' END, CASE WHEN approves THEN time END,
      CASE WHEN approves THEN ${name}::text END
    FROM clock
    RETURNING id
  `;
  return (await findWaiver(trx, made.id)) as StoredWaiver;
}

async function findWaiver(knex: Knex, id: string): Promise<StoredWaiver | undefined> {
  const [waiver] = await query(knex)`SELECT ${raw(waiverColumns)} FROM waivers_by_name WHERE id = ${id}::uuid`;
  return waiver;
}

/** A waiver that nobody else changes until the transaction ends. */
export interface LockedWaiver {
  readonly waiver: StoredWaiver;
  /** The key of the caller that asked for it; null if another store knew that caller. */
  readonly requester: string | null;
}

/** The waiver with this id, locked until the transaction ends; undefined if there is none. */
export async function lockWaiver(trx: Knex.Transaction, id: string): Promise<LockedWaiver | undefined> {
  const [locked] = await query(trx)`SELECT requester FROM waivers WHERE id = ${id}::uuid FOR UPDATE`;
  const waiver = await findWaiver(trx, id);
  return waiver && { waiver, requester: locked.requester };
}

/** The decisions on a request. */
export const decisions = ["approved", "rejected", "withdrawn"] as const;

/** A decision on a request. */
export interface Decision {
  readonly decision: (typeof decisions)[number];
  readonly comment?: string | undefined;
}

/** Decides a request that is locked. Returns the waiver as it is then; its state differs if it waited no more. */
export async function decideWaiver(
  trx: Knex.Transaction,
  id: string,
  { decision, comment }: Decision,
  by: string,
): Promise<StoredWaiver> {
  await query(trx)`
    UPDATE waivers
    SET decision = ${decision}::text, decided_at = date_trunc('milliseconds', clock_timestamp()),
      decided_by = ${by}::text, comment = ${comment}::text
    WHERE id = ${id}::uuid AND ${raw(hasState.requested)}
  `;
  return (await findWaiver(trx, id)) as StoredWaiver;
}

/**
 * Records of the oldest requests that nobody decided in time that they are withdrawn. Others that do so wait until the
 * transaction ends.
 */
export async function withdrawUndecided(
  trx: Knex.Transaction,
  most: number,
  by: string,
): Promise<(StoredWaiver & { readonly is_shown: boolean })[]> {
  const withdrawn = await query(trx)`
    UPDATE waivers
    SET decision = 'withdrawn', decided_at = date_trunc('milliseconds', clock_timestamp()), decided_by = ${by}::text
    WHERE id IN (
      SELECT id FROM waivers WHERE ${raw(isUndecided)} ORDER BY requested_at, id LIMIT ${most}::int FOR UPDATE
    ) AND decision IS NULL
    RETURNING id
  `;
  const ids = withdrawn.map(({ id }) => id);
  return query(
    trx,
  )`SELECT is_shown, ${raw(waiverColumns)} FROM waivers_by_name WHERE id = ANY (${ids}::uuid[]) ORDER BY requested_at, id`;
}

/** Revokes a waiver. Returns undefined if it is not in force. */
export async function revokeWaiver(knex: Knex, id: string, by: string): Promise<StoredWaiver | undefined> {
  const rows = await query(knex)`
    UPDATE waivers SET revoked_at = date_trunc('milliseconds', clock_timestamp()), revoked_by = ${by}::text
    WHERE id = ${id}::uuid AND created_at IS NOT NULL AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > clock_timestamp())
    RETURNING id
  `;
  return rows.length === 0 ? undefined : findWaiver(knex, id);
}
