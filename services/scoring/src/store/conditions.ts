import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Subtree } from "../model/app-name.ts";
import type { Bounds } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";

/** SQL that a field has a value. @param value its SQL: a parameter, or `ANY` of one for one of several */
export type Has = (field: Sql, value: Sql) => Sql;

const isEqual: Has = (field, value) => sql`${field} = ${value}`;

/** The condition that all of these hold; that of none always holds. */
export function conjunction(conditions: readonly Sql[]): Sql {
  return conditions.length > 0 ? join(conditions, ") AND (", "(", ")") : sql`true`;
}

/** The conditions that each of these columns has one of its values; none for a column whose values are absent. */
export function isOneOf(wanted: Readonly<Record<string, readonly string[] | undefined>>, has: Has = isEqual): Sql[] {
  return Object.entries(wanted).flatMap(([column, values]) =>
    values ? [has(raw(column), sql`ANY(${values}::text[])`)] : [],
  );
}

/** The conditions of a filter. */
export function within({ area, team, app, env, within }: TargetFilter, has: Has = isEqual): Sql[] {
  return [...isOneOf({ area, team, app, env }, has), ...isInAny(within, has)];
}

/** The condition that a row is within one of these bounds; none without bounds. */
export function isInAny(bounds: readonly Bounds[] = [], has: Has = isEqual): Sql[] {
  if (bounds.length === 0) return [];
  const each = bounds.map((one) =>
    Object.entries<string>({ ...one }).map(([field, value]) => has(raw(field), sql`${value}::text`)),
  );
  return [join(each.map(conjunction), ") OR (", "(", ")")];
}

/** The condition that the names of a row are within a subtree. */
export function inSubtree({ area, team, app }: Subtree, prefix = ""): Sql {
  const names = Object.entries({ area, team, app }).filter(([, name]) => name !== undefined);
  const terms = names.map(([field, name]) => sql`${raw(`${prefix}${field}`)} = ${name}::text`);
  return join(terms, " AND ");
}
