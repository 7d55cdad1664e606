import fc from "fast-check";
import { type CursorIdentity, forgedCursor } from "./forged-cursor.ts";
import { hostileNames } from "./hostile-names.ts";

/** A text that stands in no statement of the service. */
export const mark = "zq7mark";

const hostileValues: readonly string[] = [
  ...hostileNames,
  ...["'", "''", "$1", "?", "\\", '"', "; --", "')) OR ((1=1", "/*", "::int", "$$"].map((text) => `${mark}${text}`),
  ...["", " ", " a", "a ", "\0", "a\0b", "\n", "\r\nx: y", "\u001b[31m", "\u200b", "\uffff", "\ufeff", "a".repeat(201)],
  ...["-1", "0", "1", "7", "1000", "1001", "1.5", "1e2", "1e400", "-0", "0x10", "NaN", "Infinity", "9007199254740993"],
  ...["1e-7", "1e-300", "99.999999999999999", "100", "100.1", "+5", "٣", "1,5", "true", "false", "TRUE", "yes", "null"],
  ...["security", "sast", "test@1.0.0", "fresh", "stale", "high", "prod", "score", "-score", "age", "name", "kind 1"],
  ...["a".repeat(10_000), "\u{1f600}".repeat(201), "[]", "{}", "[object Object]"],
];

/** A parameter of a list, as the description of the service has it. */
export interface Parameter {
  readonly name: string;
  readonly schema: { readonly enum?: readonly string[]; readonly type?: string; readonly default?: unknown };
}

/** A value of a parameter that is wrong for most of them. */
export const hostileValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 250 }).filter((text) => text.isWellFormed()) },
  { weight: 1, arbitrary: fc.double().map(String) },
);

/** A parameter and its value as they stand in a URL. */
export function pairOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...parameters.filter(({ name }) => name !== "cursor"));
  const valid = known.chain(({ name, schema: { enum: values, type } }) => {
    const value = values
      ? fc.constantFrom(...values)
      : type === "boolean"
        ? fc.constantFrom("true", "false")
        : type === "number" || type === "integer"
          ? fc.integer({ min: 1, max: 100 }).map(String)
          : fc.constantFrom(...hostileNames, "prod", "staging", "security", "sast", `${mark}'`);
    return value.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
  });
  const name = fc.oneof(
    { weight: 8, arbitrary: known.map((one) => one.name) },
    { weight: 1, arbitrary: fc.constantFrom("cursor", "__proto__", "constructor", "", "area[]", "Area", "a[b]", mark) },
  );
  const hostile = fc
    .tuple(name, hostileValue, fc.constantFrom("well", "well", "raw", "broken"))
    .map(([name, value, written]) => {
      if (written === "well") return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
      return `${name}=${written === "raw" ? encodeURI(value) : encodeURIComponent(value).replaceAll("%", "%f")}`;
    });
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: hostile });
}

/** Values of a position that something may take for others, or choke on, as JSON. */
const hostileParts: readonly string[] = [
  ...["null", "true", "0", "-0", "1.5", "1e999", "-1e999", "1e308", "5e-324", "9007199254740993", "[]", "{}", "[1]"],
  ...[
    '""',
    '"0"',
    '"1e5"',
    '"-1"',
    '"NaN"',
    '"Infinity"',
    '"99.99"',
    '"1000"',
    '"-999.99"',
    '"0x10"',
    '" 1"',
    '"1\\n"',
  ],
  ...['"999999999999999999"', '"9223372036854775807"', '"\\\\x"', '"\\\\x00"', '"\\u0000"', '"\\ud800"', '"a\\u0000"'],
  ...[`"\\\\x${"f".repeat(64)}"`, `"\\\\x${"0".repeat(64)}"`, `"\\\\x${"F".repeat(64)}"`, `"${"a".repeat(5_000)}"`],
  ...[`"${mark}'); DROP TABLE scores; --"`, `"${mark}\\\\"`, '{"toString":1}', '{"length":5}', '"2026-01-01"'],
];

/** A page of a list from which cursors are forged: the values of its query, and a cursor that the service made. */
export interface Known {
  readonly search: string;
  readonly identity: CursorIdentity;
  readonly position: readonly unknown[];
}

/** Cursors of which all is right but what they hold. */
export function forgedOf(known: readonly Known[]): fc.Arbitrary<string> {
  const part = fc.constantFrom(...hostileParts);
  return fc.constantFrom(...known).chain(({ search, identity, position }) => {
    const own = position.map((value) => JSON.stringify(value));
    const changed = fc
      .tuple(fc.nat({ max: own.length - 1 }), part)
      .map(([index, value]) => `[${own.with(index, value).join()}]`);
    const positions = fc.oneof(
      { weight: 6, arbitrary: changed },
      { weight: 1, arbitrary: fc.array(part, { maxLength: own.length + 1 }).map((parts) => `[${parts.join()}]`) },
      { weight: 1, arbitrary: part },
    );
    const total = fc.constantFrom("1", "1", "1", "0", "-1", "1.5", "1e400", '"1"', "null", "9007199254740991");
    const version = fc.constantFrom("1", "1", "1", "1", "0", "2", '"1"', "null");
    return fc
      .tuple(version, total, positions)
      .map((parts) => `${search}&cursor=${forgedCursor(identity, `[${parts.join()}]`)}`);
  });
}

/** Changes a character of a cursor, cuts it, or adds to it. */
export function mutatedOf(known: readonly (Known & { readonly cursor: string })[]): fc.Arbitrary<string> {
  const place = fc.nat({ max: 400 });
  return fc
    .tuple(fc.constantFrom(...known), place, fc.constantFrom("change", "cut", "add", "double"), fc.base64String())
    .map(([{ search, cursor }, at, how, text]) => {
      const index = at % cursor.length;
      const mutated = {
        change: cursor.slice(0, index) + (text[0] ?? "A") + cursor.slice(index + 1),
        cut: cursor.slice(0, index),
        add: cursor + text,
        double: cursor + cursor,
      }[how];
      return `${search}&cursor=${encodeURIComponent(mutated)}`;
    });
}

const accepts = [
  ...[
    "application/json",
    "text/csv",
    "application/x-ndjson",
    "*/*",
    "text/*",
    "text/csv;q=0.5, application/json;q=0.4",
  ],
  ...[
    "text/html",
    "text/csv;q=0",
    "text/csv;q=nan",
    "text/csv;header=absent",
    ",",
    ";",
    "text",
    "a/b/c",
    "text/csv,".repeat(500),
  ],
  ...['text/csv; x="', "*", "q=1", "\u00e9", "application/x-ndjson;q=1.000001"],
];

const tags = ["*", '"', 'W/""', "W/", '"x", "y"', "x".repeat(5_000), 'W/"a", *', "\u00e9", ","];

/** Headers by which the answer to a list differs. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constantFrom(...accepts).map((accept) => ({ accept })) },
  { weight: 1, arbitrary: fc.constantFrom(...tags).map((tag) => ({ "if-none-match": tag })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("gzip", "br", "gzip;q=0", "x".repeat(2_000), ",;")
      .map((encoding) => ({ "accept-encoding": encoding })),
  },
  { weight: 1, arbitrary: fc.constantFrom("bytes=0-1", "bytes=5-", "bytes=9-1").map((range) => ({ range })) },
);
