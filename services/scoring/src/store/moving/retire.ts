import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import sql, { empty, raw, type Sql } from "sql-template-tag";
import type { AppName } from "../../model/app-name.ts";
import { forgetUnannounced } from "../notification-threads.ts";
import { query } from "../sql.ts";

/** An application, by its current name, or one of its environments. */
export interface Retirable {
  readonly table: "applications" | "targets";
  readonly id: number;
  readonly isRetired: boolean;
  /** Whether it is an environment of an application that is retired as a whole. */
  readonly isAppRetired: boolean;
  /** Its environments, without those that are retired by themselves. */
  readonly targets: readonly number[];
}

/** Looks up an application or environment to retire or restore; undefined if nothing is stored or registered of it. */
export async function findRetirable(
  trx: Knex,
  { area, team, app, env }: AppName & { readonly env?: string | undefined },
): Promise<Retirable | undefined> {
  const [application] = await query(trx)`
    SELECT id, retired_at IS NOT NULL AS is_retired FROM applications
    WHERE (area, team, app) = (${area}::text, ${team}::text, ${app}::text)
  `;
  if (!application) return undefined;
  const targets: { id: number; env: string; is_retired: boolean }[] = await query(trx)`
    SELECT id, env, retired_at IS NOT NULL AS is_retired FROM targets WHERE application_id = ${application.id}::int
  `;
  if (env === undefined) {
    const left = targets.filter(({ is_retired }) => !is_retired).map(({ id }) => id);
    return {
      table: "applications",
      id: application.id,
      isRetired: application.is_retired,
      isAppRetired: false,
      targets: left,
    };
  }
  const target = targets.find((one) => one.env === env);
  if (!target) return undefined;
  const { id, is_retired } = target;
  return { table: "targets", id, isRetired: is_retired, isAppRetired: application.is_retired, targets: [id] };
}

/** The numbers of its scores and problems. */
export async function amountOf(trx: Knex, { targets }: Retirable): Promise<{ scores: number; problems: number }> {
  const [amount] = await query(trx)`
    SELECT (SELECT count(*)::int FROM scores WHERE target_id = ANY (${targets}::int[])) AS scores,
      (SELECT count(*)::int FROM problems WHERE target_id = ANY (${targets}::int[])) AS problems
  `;
  return amount;
}

/**
 * Retires an application or an environment: nothing shows it any more, and its data stays. Its waiting messages are
 * deleted, and with them the end of a problem whose opening was not sent. The names must be locked.
 */
export async function retire(
  trx: Knex,
  { table, id, targets }: Pick<Retirable, "table" | "id" | "targets">,
  reason: string,
): Promise<void> {
  await query(trx)`
    UPDATE ${raw(table)} SET retired_at = now(), retired_because = ${reason}::text WHERE id = ${id}::int
  `;
  await dropNotifications(trx, targets);
}

/** Restores what was retired. The names must be locked. */
export async function restore(trx: Knex, { table, id }: Retirable): Promise<void> {
  await query(trx)`UPDATE ${raw(table)} SET retired_at = NULL, retired_because = NULL WHERE id = ${id}::int`;
}

/** An environment that has not reported for some time, with the numbers of its scores and problems. */
export interface SilentTarget extends Target {
  readonly id: number;
  readonly scores: number;
  readonly problems: number;
}

/**
 * Finds the first environments, not retired, that have reported, but not for this many days, by the database's clock.
 */
export async function findSilent(
  trx: Knex,
  days: number,
  limit: number,
  among: Sql = empty,
): Promise<readonly SilentTarget[]> {
  const isSilent = (table: string) => sql`NOT EXISTS (
    SELECT FROM ${raw(table)}
    WHERE target_id = targets.id AND reported_at > now() - make_interval(hours => 24 * ${days}::int)
  )`;
  const hasAny = (table: string) => sql`EXISTS (SELECT FROM ${raw(table)} WHERE target_id = targets.id)`;
  const count = (table: string) => raw(`(SELECT count(*)::int FROM ${table} WHERE target_id = targets.id) AS ${table}`);
  return query(trx)`
    SELECT targets.id, area, team, app, env, ${count("scores")}, ${count("problems")}
    FROM targets JOIN applications ON applications.id = application_id
    WHERE targets.retired_at IS NULL AND applications.retired_at IS NULL
      AND ${isSilent("scores")} AND ${isSilent("problems")} AND (${hasAny("scores")} OR ${hasAny("problems")})
      ${among}
    ORDER BY targets.id
    LIMIT ${limit}::int
  `;
}

/**
 * Keeps found environments from reporting until the transaction ends, and finds those that are silent still. Scores are locked
 * before their environments, as reports do it.
 *
 * @throws an error of the database if one of them is reporting now
 */
export async function lockSilent(
  trx: Knex,
  days: number,
  found: readonly SilentTarget[],
): Promise<readonly SilentTarget[]> {
  const ids = found.map(({ id }) => id);
  await query(trx)`
    SELECT FROM scores WHERE target_id = ANY (${ids}::int[]) ORDER BY target_id, metric_id FOR UPDATE NOWAIT
  `;
  await query(trx)`SELECT FROM targets WHERE id = ANY (${ids}::int[]) ORDER BY id FOR UPDATE NOWAIT`;
  return findSilent(trx, days, ids.length, sql`AND targets.id = ANY (${ids}::int[])`);
}

async function dropNotifications(trx: Knex, targets: readonly number[]): Promise<void> {
  const waiting = sql`dead_since IS NULL AND (
    problem_id IN (SELECT id FROM problems WHERE target_id = ANY (${targets}::int[]))
    OR (application_id, fact->>'env') IN (SELECT application_id, env FROM targets WHERE id = ANY (${targets}::int[]))
  )`;
  await query(trx)`
    SELECT FROM notification_threads
    WHERE (subject, destination, address) IN (SELECT subject, destination, address FROM notifications WHERE ${waiting})
    ORDER BY subject, destination, address
    FOR UPDATE
  `;
  const dropped = await query(trx)`
    DELETE FROM notifications WHERE ${waiting}
    RETURNING subject, destination, address, tries > 0 AND due_at <= now() AND (destination, address) IN (
      SELECT destination, address FROM notification_addresses WHERE busy_until > now()
    ) AS is_being_sent
  `;
  await forgetUnannounced(
    trx,
    dropped.filter(({ is_being_sent }: { is_being_sent: boolean }) => !is_being_sent),
  );
}
