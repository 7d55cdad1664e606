import { UsageError } from "./usage-error.ts";

/**
 * The values of `--raw enabled=true --raw minutes=90`: true, false, numbers and other JSON as such, anything else a text.
 *
 * @throws UsageError for what is no name=value
 */
export function parseRawValues(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || text === undefined) {
        throw new UsageError(`--raw ${pair} must be name=value, such as enabled=true`);
      }
      return [name.trim(), parseValue(text)];
    }),
  );
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
