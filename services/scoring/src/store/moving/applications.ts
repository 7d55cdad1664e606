import type { Subtree } from "../../model/app-name.ts";

/** SQL of the rows whose names are within a subtree, with the values of its parameters. */
export function within({ area, team, app }: Subtree, prefix = ""): { sql: string; values: string[] } {
  const terms = Object.entries({ area, team, app }).filter(([, name]) => name !== undefined);
  return {
    sql: terms.map(([field]) => `${prefix}${field} = ?::text`).join(" AND "),
    values: terms.map(([, name]) => name as string),
  };
}

/**
 * SQL of whether anything is stored or registered of a row of `applications`. A waiver alone creates a row without
 * either.
 */
export function isUsed(application: string): string {
  return `(${application}.registered_at IS NOT NULL
    OR EXISTS (SELECT FROM targets WHERE targets.application_id = ${application}.id))`;
}
