import fc from "fast-check";

/** What may stand anywhere in a damaged report. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, "", "x", [], {}, [[]], [null], { length: 3 }),
  fc.constant(JSON.parse('{"__proto__": {"results": []}, "constructor": 1, "toString": null}')),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", minLength: 4090, maxLength: 4200 }),
);

/** The text of a report with a part of it swapped for something else: a value of its JSON, or a piece of its text. */
export function swapped(text: string): fc.Arbitrary<string> {
  const value = parse(text);
  const piece = fc
    .tuple(fc.nat(text.length), fc.nat(20), fc.string({ maxLength: 5 }))
    .map(([at, length, instead]) => text.slice(0, at) + instead + text.slice(at + length));
  if (value === undefined) return piece;
  const paths = pathsOf(value);
  const member = fc
    .tuple(fc.constantFrom(...paths), junk)
    .map(([path, instead]) => JSON.stringify(withMember(value, path, instead)));
  return fc.oneof({ arbitrary: member, weight: 4 }, piece);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The path to every value in a JSON value, itself included. */
export function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

/** A copy of a JSON value with another value at a path. */
export function withMember(value: unknown, [key, ...rest]: readonly string[], instead: unknown): unknown {
  if (key === undefined) return instead;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = withMember(copy[key], rest, instead);
  return copy;
}
