import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import type { NewBadge } from "../model/badge.ts";

/** A stored badge, with the current name of its application. */
export interface StoredBadge extends Target {
  readonly id: string;
  readonly shows: NewBadge["shows"];
  readonly scorecard: string | null;
  readonly metric: string | null;
  readonly created_at: Date;
  readonly created_by: string;
}

const columns = "badges.id, area, team, app, env, shows, scorecard, metric, created_at, created_by";
const current = "FROM badges JOIN applications ON applications.id = application_id WHERE revoked_at IS NULL";

/** Reads the badges that are not revoked. */
export async function readBadges(knex: Knex): Promise<StoredBadge[]> {
  const { rows } = await knex.raw(`SELECT ${columns} ${current}`);
  return rows;
}

/** Reads a badge; undefined if there is none with this id, or it is revoked, unless `any` is wanted. */
export async function readBadge(
  knex: Knex,
  id: string,
  which: "current" | "any" = "current",
): Promise<StoredBadge | undefined> {
  const { rows } = await knex.raw(
    `SELECT ${columns} FROM badges JOIN applications ON applications.id = application_id
     WHERE badges.id = ?::uuid AND (revoked_at IS NULL OR ?::boolean)`,
    [id, which === "any"],
  );
  return rows[0];
}

/**
 * Stores a badge, unless there is one that shows the same.
 *
 * @param application the id of its application, whose name the caller holds
 */
export async function insertBadge(
  trx: Knex,
  application: number,
  { env, shows, scorecard, metric }: NewBadge,
  createdBy: string,
): Promise<{ readonly badge: StoredBadge; readonly isNew: boolean }> {
  await trx.raw("SELECT FROM applications WHERE id = ?::int FOR NO KEY UPDATE", [application]); // so that two make one
  const same = [application, env, shows, scorecard ?? null, metric ?? null];
  const { rows: known } = await trx.raw(
    `SELECT id FROM badges WHERE revoked_at IS NULL AND application_id = ?::int AND env = ?::text AND shows = ?::text
       AND scorecard IS NOT DISTINCT FROM ?::text AND metric IS NOT DISTINCT FROM ?::text
     ORDER BY created_at LIMIT 1`,
    same,
  );
  const { rows: made } =
    known.length > 0
      ? { rows: known }
      : await trx.raw(
          `INSERT INTO badges (application_id, env, shows, scorecard, metric, created_by)
           VALUES (?::int, ?::text, ?::text, ?::text, ?::text, ?::text) RETURNING id`,
          [...same, createdBy],
        );
  const badge = (await readBadge(trx, made[0].id)) as StoredBadge;
  return { badge, isNew: known.length === 0 };
}

/** Revokes a badge. Returns whether it was not revoked before. */
export async function revokeBadge(trx: Knex, id: string, revokedBy: string): Promise<boolean> {
  const { rows } = await trx.raw(
    "UPDATE badges SET revoked_at = now(), revoked_by = ?::text WHERE id = ?::uuid AND revoked_at IS NULL RETURNING id",
    [revokedBy, id],
  );
  return rows.length > 0;
}
