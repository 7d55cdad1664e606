/**
 * SQL of label sets in the notation of the exposition formats, as `labelSet` makes them.
 *
 * A stored target has the first half of the labels of its scores, and a metric has the second one, so that a scrape joins
 * two texts for each score.
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

/** SQL of `targets.labels`. @param application what the row with its name is called */
export function targetLabels(application: string, env: string): string {
  const [area, team, app] = ["area", "team", "app"].map((name) => `${application}.${name}`) as [string, string, string];
  return `'{' || ${pairs({ area, team, app, env })}`;
}

/** SQL of what closes the labels of a target. @param columns expressions by the names of the labels */
export function closingLabels(columns: Readonly<Record<string, string>>): string {
  return `',' || ${pairs(columns)} || '}'`;
}
