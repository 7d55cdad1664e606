import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Subtree } from "../../model/app-name.ts";

/** The condition that the names of a row are within a subtree. */
export function within({ area, team, app }: Subtree, prefix = ""): Sql {
  const names = Object.entries({ area, team, app }).filter(([, name]) => name !== undefined);
  const terms = names.map(([field, name]) => sql`${raw(`${prefix}${field}`)} = ${name}::text`);
  return join(terms, " AND ");
}

/**
 * SQL of whether anything is stored or registered of a row of `applications`. A waiver alone creates a row without
 * either.
 */
export function isUsed(application: string): Sql {
  return raw(`(${application}.registered_at IS NOT NULL
    OR EXISTS (SELECT FROM targets WHERE targets.application_id = ${application}.id))`);
}
