/**
 * SQL of label sets in the notation of the exposition formats, as `labelSet` makes them. A stored target has the first
 * half of the labels of its scores and a metric the second half, so that a scrape joins two texts for each score.
 */

/** SQL of labels without braces. @param columns expressions by the names of the labels */
function pairs(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, column]) => `'${name}="' || replace(replace(${column}, '\\', '\\\\'), '"', '\\"') || '"'`)
    .join(" || ',' || ");
}

/** SQL of a label set. @param columns expressions by the names of the labels */
export function labelsSql(columns: Readonly<Record<string, string>>): string {
  return `'{' || ${pairs(columns)} || '}'`;
}

/** SQL of `targets.labels`, by the row `applications`. @param env SQL of the environment */
export function targetLabels(env: string): string {
  const names = { area: "applications.area", team: "applications.team", app: "applications.app" };
  return `'{' || ${pairs({ ...names, env })}`;
}

/** SQL of the closing half of the labels of a target. @param columns expressions by the names of the labels */
export function closingLabels(columns: Readonly<Record<string, string>>): string {
  return `',' || ${pairs(columns)} || '}'`;
}
