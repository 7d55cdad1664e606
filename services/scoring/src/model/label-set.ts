/**
 * A label set in the notation of the exposition formats: `{area="shop",team="a\"b"}`. Backslashes and quotes are
 * escaped. Values must not hold a line feed; names never do.
 */
export function labelSet(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** Checks before replacing, because few names need it and the check is cheaper. */
function escapeValue(value: string): string {
  return /["\\]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : value;
}
