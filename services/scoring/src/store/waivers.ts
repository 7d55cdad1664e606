import type { Waiver } from "@maturity/core";
import type { Knex } from "knex";
import { maxAcceptedDays, maxWaivers } from "../model/limits.ts";
import type { NewWaiver, WaiverKind } from "../model/waiver.ts";

/** A stored waiver. What is null means all. */
export interface StoredWaiver extends Waiver {
  readonly id: string;
  readonly kind: WaiverKind;
  readonly team: string | null;
  readonly app: string | null;
  readonly env: string | null;
  readonly scorecard: string | null;
  readonly metric: string | null;
  readonly problem_type: string | null;
  readonly reason: string;
  readonly owner: string;
  readonly created_at: Date;
  /** The name of the grant by which it was made. */
  readonly created_by: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_by: string | null;
}

/** The columns of a `StoredWaiver`. */
export const waiverColumns =
  "id, kind, area, team, app, env, scorecard, metric, problem_type, reason, owner, created_at, created_by, expires_at, revoked_at, revoked_by";

/** SQL of the end of a waiver, by its date or by its revocation. By this text an index finds what is in force. */
export const endOfWaiver = "coalesce(least(expires_at, revoked_at), 'infinity')";

/**
 * SQL that says whether a waiver is in force at a time, as `isInForce` of core does.
 *
 * @param moment SQL that is the same for all rows; PostgreSQL searches no index by `clock_timestamp()`
 */
export function inForceAt(moment: string): string {
  return `created_at <= ${moment} AND ${endOfWaiver} > ${moment}`;
}

/** SQL of the time at which the statement begins. */
export const now = "statement_timestamp()";

/** SQL that says whether a waiver is in force when the statement begins. */
export const inForceNow: string = inForceAt(now);

/**
 * SQL of a SELECT of the waivers of scores that are in force at a time. Of those that waive the same, it has only the one that
 * lasts longest.
 */
export function scoreWaivers(columns: string, moment: string, where = "true"): string {
  const same = "area, team, app, env, scorecard, metric";
  return `SELECT DISTINCT ON (${same}) ${columns} FROM waivers
    WHERE scorecard IS NOT NULL AND ${inForceAt(moment)} AND ${where}
    ORDER BY ${same}, expires_at DESC NULLS FIRST, id`;
}

/** SQL of a team, an application and an environment. An empty text means all, so that it can be compared. */
type ScopeSql = readonly [team: string, app: string, env: string];

/** The scope of a row of `waivers`. */
export const scopeOfWaiver: ScopeSql = ["coalesce(team, '')", "coalesce(app, '')", "coalesce(env, '')"];

/** The scopes of the waivers that cover the application which a row names. */
export function scopesOfRow(row: string): readonly ScopeSql[] {
  const [team, app, env] = [`${row}.team`, `${row}.app`, `${row}.env`];
  return [
    ["''", "''", "''"],
    [team, "''", "''"],
    [team, app, "''"],
    [team, app, env],
  ];
}

/** SQL of what the index of waivers of problems holds. */
function problemHash(row: string, scope: ScopeSql): string {
  return `hashtextextended(${[`${row}.problem_type`, `${row}.area`, ...scope].join(" || chr(9) || ")}, 0)`;
}

/** SQL that says whether the problem that a row names is waived at this moment. */
export function isProblemWaived(row: string): string {
  const scopes = scopesOfRow(row);
  return `EXISTS (
    SELECT FROM waivers
    WHERE ${problemHash("waivers", scopeOfWaiver)} IN (${scopes.map((scope) => problemHash(row, scope)).join(", ")})
      AND waivers.problem_type = ${row}.problem_type AND waivers.area = ${row}.area
      AND (${scopeOfWaiver.join(", ")}) IN (${scopes.map((scope) => `(${scope.join(", ")})`).join(", ")})
      AND ${inForceNow}
  )`;
}

/** Why a waiver cannot be stored: its end is not ahead, or too far ahead, or there are as many as there may be. */
export type Unstorable = "past" | "far" | "full" | "area-full";

const aDayAgo = "(statement_timestamp() - interval '24 hours')";

/**
 * Stores a waiver, unless its end, by the database's clock, is wrong, or there are too many. Those that are made at the same
 * moment do not count each other.
 */
export async function insertWaiver(knex: Knex, waiver: NewWaiver, by: string): Promise<StoredWaiver | Unstorable> {
  const { kind, area, team, app, env, scorecard, metric, problem_type, reason, owner, expires_at } = waiver;
  const mostDays = kind === "accepted" ? maxAcceptedDays : null;
  const { rows: ends } = await knex.raw(
    `
    SELECT ?::timestamptz <= clock_timestamp() AS past, ?::timestamptz > clock_timestamp() + make_interval(hours => 24 * ?::int) AS far
    `,
    [expires_at ?? null, expires_at ?? null, mostDays],
  );
  if (ends[0].past) return "past";
  if (ends[0].far) return "far";
  const { rows: counts } = await knex.raw(
    `
    SELECT count(*) FILTER (WHERE area = ?::text)::int AS area, count(*)::int AS "all" FROM waivers
    WHERE ${endOfWaiver} > ${aDayAgo} AND (created_at > ${aDayAgo} OR (${inForceNow}))
    `,
    [area],
  );
  if (counts[0].area >= maxWaivers.area) return "area-full";
  if (counts[0].all >= maxWaivers.all) return "full";
  const { rows } = await knex.raw(
    `
    INSERT INTO waivers
      (kind, area, team, app, env, scorecard, metric, problem_type, reason, owner, created_by, expires_at)
    VALUES (?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::timestamptz)
    RETURNING ${waiverColumns}
    `,
    [
      ...[kind, area, team ?? null, app ?? null, env ?? null, scorecard ?? null, metric ?? null, problem_type ?? null],
      ...[reason, owner, by, expires_at ?? null],
    ],
  );
  return rows[0];
}

/** The waiver with this id, locked until the transaction ends; undefined if there is none. */
export async function lockWaiver(trx: Knex.Transaction, id: string): Promise<StoredWaiver | undefined> {
  const { rows } = await trx.raw(`SELECT ${waiverColumns} FROM waivers WHERE id = ?::uuid FOR UPDATE`, [id]);
  return rows[0];
}

/** Revokes a waiver. Returns undefined if it has ended already, be it revoked or expired. */
export async function revokeWaiver(knex: Knex, id: string, by: string): Promise<StoredWaiver | undefined> {
  const { rows } = await knex.raw(
    `
    UPDATE waivers SET revoked_at = date_trunc('milliseconds', clock_timestamp()), revoked_by = ?::text
    WHERE id = ?::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
    RETURNING ${waiverColumns}
    `,
    [by, id],
  );
  return rows[0];
}
