/**
 * A label set as the text formats print it: `{area="shop",team="a\"b"}`. Values must hold no line feed, which names never
 * do; backslashes and quotes are escaped.
 */
export function labelSet(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** Few names hold either character, and the look is cheaper than the replacement. */
function escapeValue(value: string): string {
  return /["\\]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : value;
}
