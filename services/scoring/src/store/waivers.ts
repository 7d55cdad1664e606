import type { Waiver } from "@maturity/core";
import type { Knex } from "knex";
import { maxAcceptedDays, maxWaivers } from "../model/limits.ts";
import type { NewWaiver, WaiverKind } from "../model/waiver.ts";
import { ensureApplications } from "./names.ts";

/** A stored waiver. Null in a field of its scope means all. */
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
  /** The name of the grant that created it. */
  readonly created_by: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_by: string | null;
}

/** The columns of a `StoredWaiver`, in the view `waivers_by_name`. */
export const waiverColumns =
  "id, kind, area, team, app, env, scorecard, metric, problem_type, reason, owner, created_at, created_by, expires_at, revoked_at, revoked_by";

/** SQL of the end of a waiver, by its date or its revocation. The index of waivers in force has this expression. */
export const endOfWaiver = "coalesce(least(expires_at, revoked_at), 'infinity')";

/**
 * SQL of whether a waiver is in force at a time, as `isInForce` of core.
 *
 * @param moment SQL that is the same for all rows; PostgreSQL searches no index by `clock_timestamp()`
 */
export function inForceAt(moment: string): string {
  return `created_at <= ${moment} AND ${endOfWaiver} > ${moment}`;
}

/** SQL of the time at which the statement begins. */
export const now = "statement_timestamp()";

/** SQL of whether a waiver is in force when the statement begins. */
export const inForceNow: string = inForceAt(now);

/** A SELECT of the waivers of scores in force at a time. Of several waivers with the same scope it has the longest. */
export function scoreWaivers(columns: string, moment: string): string {
  const same = "area, team, app, env, scorecard, metric";
  return `SELECT DISTINCT ON (${same}) ${columns} FROM waivers_by_name
    WHERE scorecard IS NOT NULL AND ${inForceAt(moment)}
    ORDER BY ${same}, expires_at DESC NULLS FIRST, id`;
}

/** SQL of a team, an application and an environment. An empty text means all, so that it can be compared. */
type ScopeSql = readonly [team: string, app: string, env: string];

/** The scope of a row of `waivers_by_name`. */
export const scopeOfWaiver: ScopeSql = ["coalesce(team, '')", "coalesce(app, '')", "coalesce(env, '')"];

/** The scopes of all waivers that can cover the application of a row. */
export function scopesOfRow(row: string): readonly ScopeSql[] {
  const [team, app, env] = [`${row}.team`, `${row}.app`, `${row}.env`];
  return [
    ["''", "''", "''"],
    [team, "''", "''"],
    [team, app, "''"],
    [team, app, env],
  ];
}

/** SQL that joins names into one text, to compare them at once. No name has a tab. */
const inOneText = (...names: readonly string[]) => names.join(" || chr(9) || ");

/**
 * SQL of whether the score of a row's metric is waived now. The waivers are read once, so their number does not change
 * the cost of a row. Names are joined only for rows whose area has a waiver of their scorecard.
 */
export function isScoreWaived(row: string): string {
  const scopes = scopesOfRow(row).flatMap((scope) =>
    ["''", `${row}.metric`].map((metric) => inOneText(`${row}.area`, ...scope, `${row}.scorecard`, metric)),
  );
  const inForce = `FROM waivers_by_name WHERE scorecard IS NOT NULL AND ${inForceNow}`;
  return `((${row}.area, ${row}.scorecard) IN (SELECT area, scorecard ${inForce}) AND (
    SELECT bool_or(scope IN (
      SELECT ${inOneText("area", ...scopeOfWaiver, "scorecard", "coalesce(metric, '')")} ${inForce}
    )) FROM unnest(ARRAY[${scopes.join(", ")}]) AS scopes (scope)
  ))`;
}

/** SQL of whether the problem of a row is waived now. The row has the id of its application too. */
export function isProblemWaived(row: string): string {
  return `(
    EXISTS (
      SELECT FROM waivers
      WHERE waivers.application_id = ${row}.application_id AND waivers.problem_type = ${row}.problem_type
        AND (waivers.env IS NULL OR waivers.env = ${row}.env) AND ${inForceNow}
    ) OR EXISTS (
      SELECT FROM waivers
      WHERE waivers.application_id IS NULL AND waivers.area = ${row}.area AND coalesce(waivers.team, '') IN ('', ${row}.team)
        AND waivers.problem_type = ${row}.problem_type AND ${inForceNow}
    )
  )`;
}

/** Why a waiver cannot be stored: its end is past or too far ahead, or there are too many. */
export type Unstorable = "past" | "far" | "full" | "area-full";

const aDayAgo = "(statement_timestamp() - interval '24 hours')";

/**
 * Stores a waiver, unless its end is wrong by the database's clock, or there are too many. Waivers that are stored at
 * the same moment do not count each other.
 *
 * @param trx a transaction: it creates the application if nothing is stored of it yet
 * @param waiver under the current name of its application, team or area
 */
export async function insertWaiver(trx: Knex, waiver: NewWaiver, by: string): Promise<StoredWaiver | Unstorable> {
  const { kind, area, team, env, scorecard, metric, problem_type, reason, owner, expires_at } = waiver;
  const mostDays = kind === "accepted" ? maxAcceptedDays : null;
  const { rows: ends } = await trx.raw(
    `
    SELECT ?::timestamptz <= clock_timestamp() AS past, ?::timestamptz > clock_timestamp() + make_interval(hours => 24 * ?::int) AS far
    `,
    [expires_at ?? null, expires_at ?? null, mostDays],
  );
  if (ends[0].past) return "past";
  if (ends[0].far) return "far";
  const { rows: counts } = await trx.raw(
    `
    SELECT count(*) FILTER (WHERE area = ?::text)::int AS area, count(*)::int AS "all" FROM waivers_by_name
    WHERE ${endOfWaiver} > ${aDayAgo} AND (created_at > ${aDayAgo} OR (${inForceNow}))
    `,
    [area],
  );
  if (counts[0].area >= maxWaivers.area) return "area-full";
  if (counts[0].all >= maxWaivers.all) return "full";
  const application_id = await applicationOf(trx, waiver);
  const isOfApp = application_id !== null;
  const { rows } = await trx.raw(
    `
    INSERT INTO waivers
      (kind, application_id, area, team, env, scorecard, metric, problem_type, reason, owner, created_by, expires_at)
    VALUES (?::text, ?::int, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::timestamptz)
    RETURNING id
    `,
    [
      ...[kind, application_id, isOfApp ? null : area, isOfApp ? null : (team ?? null), env ?? null],
      ...[scorecard ?? null, metric ?? null, problem_type ?? null, reason, owner, by, expires_at ?? null],
    ],
  );
  return (await findWaiver(trx, rows[0].id)) as StoredWaiver;
}

async function applicationOf(trx: Knex, { area, team, app }: NewWaiver): Promise<number | null> {
  if (team === undefined || app === undefined) return null;
  const [found] = await ensureApplications(trx, [{ area, team, app }]);
  return found?.application_id ?? null;
}

async function findWaiver(knex: Knex, id: string): Promise<StoredWaiver | undefined> {
  const { rows } = await knex.raw(`SELECT ${waiverColumns} FROM waivers_by_name WHERE id = ?::uuid`, [id]);
  return rows[0];
}

/** The waiver with this id, locked until the transaction ends; undefined if there is none. */
export async function lockWaiver(trx: Knex.Transaction, id: string): Promise<StoredWaiver | undefined> {
  await trx.raw("SELECT FROM waivers WHERE id = ?::uuid FOR UPDATE", [id]);
  return findWaiver(trx, id);
}

/** Revokes a waiver. Returns undefined if it had ended already. */
export async function revokeWaiver(knex: Knex, id: string, by: string): Promise<StoredWaiver | undefined> {
  const { rows } = await knex.raw(
    `
    UPDATE waivers SET revoked_at = date_trunc('milliseconds', clock_timestamp()), revoked_by = ?::text
    WHERE id = ?::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
    RETURNING id
    `,
    [by, id],
  );
  return rows.length === 0 ? undefined : findWaiver(knex, id);
}
