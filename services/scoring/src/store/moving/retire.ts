import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import type { AppName } from "../../model/app-name.ts";
import { forgetUnannounced } from "../notification-threads.ts";
import { isUsed } from "./applications.ts";

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
  const { rows: applications } = await trx.raw(
    `SELECT id, retired_at IS NOT NULL AS is_retired FROM applications
     WHERE (area, team, app) = (?::text, ?::text, ?::text) AND ${isUsed("applications")}`,
    [area, team, app],
  );
  const [application] = applications;
  if (!application) return undefined;
  const { rows: targets }: { rows: { id: number; env: string; is_retired: boolean }[] } = await trx.raw(
    "SELECT id, env, retired_at IS NOT NULL AS is_retired FROM targets WHERE application_id = ?::int",
    [application.id],
  );
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
  const { rows } = await trx.raw(
    `SELECT (SELECT count(*)::int FROM scores WHERE target_id = ANY (?::int[])) AS scores,
       (SELECT count(*)::int FROM problems WHERE target_id = ANY (?::int[])) AS problems`,
    [[...targets], [...targets]],
  );
  return rows[0];
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
  await trx.raw(`UPDATE ${table} SET retired_at = now(), retired_because = ?::text WHERE id = ?::int`, [reason, id]);
  await dropNotifications(trx, targets);
}

/** Restores what was retired. The names must be locked. */
export async function restore(trx: Knex, { table, id }: Retirable): Promise<void> {
  await trx.raw(`UPDATE ${table} SET retired_at = NULL, retired_because = NULL WHERE id = ?::int`, [id]);
}

/** An environment that has not reported for some time, with the numbers of its scores and problems. */
export interface SilentTarget extends Target {
  readonly id: number;
  readonly scores: number;
  readonly problems: number;
}

/** Finds the first environments, not retired, that have not reported for this many days, by the database's clock. */
export async function findSilent(trx: Knex, days: number, limit: number): Promise<readonly SilentTarget[]> {
  const isSilent = (table: string) => `NOT EXISTS (
    SELECT FROM ${table} WHERE target_id = targets.id AND reported_at > now() - make_interval(hours => 24 * ?::int)
  )`;
  const count = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE target_id = targets.id) AS ${table}`;
  const { rows } = await trx.raw(
    `
    SELECT targets.id, area, team, app, env, ${count("scores")}, ${count("problems")}
    FROM targets JOIN applications ON applications.id = application_id
    WHERE targets.retired_at IS NULL AND applications.retired_at IS NULL
      AND ${isSilent("scores")} AND ${isSilent("problems")}
    ORDER BY targets.id
    LIMIT ?::int
    `,
    [days, days, limit],
  );
  return rows;
}

async function dropNotifications(trx: Knex, targets: readonly number[]): Promise<void> {
  const waiting = `dead_since IS NULL AND (
    problem_id IN (SELECT id FROM problems WHERE target_id = ANY (?::int[]))
    OR (application_id, fact->>'env') IN (SELECT application_id, env FROM targets WHERE id = ANY (?::int[]))
  )`;
  const values = [[...targets], [...targets]];
  await trx.raw(
    `
    SELECT FROM notification_threads
    WHERE (subject, destination, address) IN (SELECT subject, destination, address FROM notifications WHERE ${waiting})
    ORDER BY subject, destination, address
    FOR UPDATE
    `,
    values,
  );
  const { rows } = await trx.raw(
    `
    DELETE FROM notifications WHERE ${waiting}
    RETURNING subject, destination, address, tries > 0 AND due_at <= now() AND (destination, address) IN (
      SELECT destination, address FROM notification_addresses WHERE busy_until > now()
    ) AS is_being_sent
    `,
    values,
  );
  await forgetUnannounced(
    trx,
    rows.filter(({ is_being_sent }: { is_being_sent: boolean }) => !is_being_sent),
  );
}
