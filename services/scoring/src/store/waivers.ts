import type { Waiver } from "@maturity/core";
import type { Knex } from "knex";
import { maxAcceptedDays, maxWaivers } from "../model/limits.ts";
import type { NewWaiver, WaiverKind } from "../model/waiver.ts";
import { ensureApplications } from "./names.ts";

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

/** The columns of a `StoredWaiver`, in the view `waivers_by_name`. */
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

/** SQL of names in one text, to compare them at once. No name has a tab. */
const inOneText = (...names: readonly string[]) => names.join(" || chr(9) || ");

/**
 * SQL that says whether the score of a metric is waived at this moment that a row names. The waivers are read once, so a row
 * costs no more where there are more of them. Texts are made only of rows whose area has a waiver of their scorecard.
 */
export function isScoreWaived(row: string): string {
  const own = scopesOfRow(row).flatMap((scope) =>
    ["''", `${row}.metric`].map((metric) => inOneText(`${row}.area`, ...scope, `${row}.scorecard`, metric)),
  );
  const inForce = `FROM waivers_by_name WHERE scorecard IS NOT NULL AND ${inForceNow}`;
  return `((${row}.area, ${row}.scorecard) IN (SELECT area, scorecard ${inForce}) AND (
    SELECT bool_or(scope IN (
      SELECT ${inOneText("area", ...scopeOfWaiver, "scorecard", "coalesce(metric, '')")} ${inForce}
    )) FROM unnest(ARRAY[${own.join(", ")}]) AS own (scope)
  ))`;
}

/** SQL that says whether the problem is waived at this moment that a row names, which has the id of its application too. */
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

/** Why a waiver cannot be stored: its end is not ahead, or too far ahead, or there are as many as there may be. */
export type Unstorable = "past" | "far" | "full" | "area-full";

const aDayAgo = "(statement_timestamp() - interval '24 hours')";

/**
 * Stores a waiver, unless its end, by the database's clock, is wrong, or there are too many. Those that are made at the same
 * moment do not count each other.
 *
 * @param trx a transaction: it makes the application if nothing is stored of it yet
 * @param waiver under the name that its application, team or area has now
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

/** Revokes a waiver. Returns undefined if it has ended already, be it revoked or expired. */
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
