/**
 * What `keyOf` makes of the values of these columns, in SQL. No name holds a character that JSON of PostgreSQL escapes
 * otherwise than that of JavaScript.
 */
export function keySql(columns: readonly string[]): string {
  return `sha256(convert_to('[' || ${columns.map((column) => `to_json(${column})::text`).join(" || ',' || ")} || ']', 'UTF8'))`;
}

/** What `labelSet` makes of these columns, in SQL. @param columns expressions by the names of the labels */
export function labelsSql(columns: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(columns).map(
    ([name, column]) => `'${name}="' || replace(replace(${column}, '\\', '\\\\'), '"', '\\"') || '"'`,
  );
  return `'{' || ${pairs.join(" || ',' || ")} || '}'`;
}
