import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Subtree } from "../../model/app-name.ts";

/** The condition that the names of a row are within a subtree. */
export function within({ area, team, app }: Subtree, prefix = ""): Sql {
  const names = Object.entries({ area, team, app }).filter(([, name]) => name !== undefined);
  const terms = names.map(([field, name]) => sql`${raw(`${prefix}${field}`)} = ${name}::text`);
  return join(terms, " AND ");
}
