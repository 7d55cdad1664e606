/**
 * A label set in the notation of the exposition formats: `{area="shop",team="a\"b"}`. Backslashes and quotes are
 * escaped. Values must not hold a line feed; names never do.
 */
export function labelSet(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** Tests before it replaces: few names need an escape, and the test is cheaper. */
function escapeValue(value: string): string {
  return /["\\]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : value;
}
