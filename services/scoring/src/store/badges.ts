import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import sql, { raw } from "sql-template-tag";
import type { NewBadge } from "../model/badge.ts";
import { query } from "./sql.ts";

/** A stored badge, with the current name of its application. */
export interface StoredBadge extends Target {
  readonly id: string;
  readonly shows: NewBadge["shows"];
  readonly scorecard: string | null;
  readonly metric: string | null;
  readonly created_at: Date;
  readonly created_by: string;
}

const columns = raw("badges.id, area, team, app, env, shows, scorecard, metric, created_at, created_by");
const stored = sql`SELECT ${columns} FROM badges JOIN applications ON applications.id = application_id`;

/** Reads the badges that are not revoked. */
export async function readBadges(knex: Knex): Promise<StoredBadge[]> {
  return query(knex)`${stored} WHERE revoked_at IS NULL`;
}

/** Reads a badge; undefined if there is none with this id, or it is revoked, unless `any` is wanted. */
export async function readBadge(
  knex: Knex,
  id: string,
  which: "current" | "any" = "current",
): Promise<StoredBadge | undefined> {
  const [badge] = await query(knex)`
    ${stored} WHERE badges.id = ${id}::uuid AND (revoked_at IS NULL OR ${which === "any"}::boolean)
  `;
  return badge;
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
  await query(trx)`SELECT FROM applications WHERE id = ${application}::int FOR NO KEY UPDATE`; // so that two make one
  const [known] = await query(trx)`
    SELECT id FROM badges
    WHERE revoked_at IS NULL AND application_id = ${application}::int AND env = ${env}::text AND shows = ${shows}::text
      AND scorecard IS NOT DISTINCT FROM ${scorecard}::text AND metric IS NOT DISTINCT FROM ${metric}::text
    ORDER BY created_at LIMIT 1
  `;
  const [made] = known
    ? [known]
    : await query(trx)`
        INSERT INTO badges (application_id, env, shows, scorecard, metric, created_by)
        VALUES (${application}::int, ${env}::text, ${shows}::text, ${scorecard}::text, ${metric}::text, ${createdBy}::text)
        RETURNING id
      `;
  const badge = (await readBadge(trx, made.id)) as StoredBadge;
  return { badge, isNew: !known };
}

/** Revokes a badge. Returns whether it was not revoked before. */
export async function revokeBadge(trx: Knex, id: string, revokedBy: string): Promise<boolean> {
  const rows = await query(trx)`
    UPDATE badges SET revoked_at = now(), revoked_by = ${revokedBy}::text
    WHERE id = ${id}::uuid AND revoked_at IS NULL RETURNING id
  `;
  return rows.length > 0;
}
