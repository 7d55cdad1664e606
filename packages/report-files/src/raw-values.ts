import { UsageError } from "@maturity/command-line/usage-error";

/**
 * Reads the values of `--raw enabled=true --raw minutes=90`. A value that is valid JSON is read as JSON, such as `true`
 * or `90`. Any other value is a text.
 *
 * @throws UsageError if an entry is not `name=value`, or a name stands there twice
 */
export function parseRawValues(pairs: readonly string[]): Record<string, unknown> {
  const given = new Set<string>();
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || text === undefined) {
        throw new UsageError(`--raw ${pair} must be name=value, such as enabled=true`);
      }
      const field = name.trim();
      if (given.has(field)) throw new UsageError(`--raw ${field} stands there twice`);
      given.add(field);
      return [field, parseValue(text)];
    }),
  );
}

/** A value of a text: what it is in JSON, else the text itself. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
