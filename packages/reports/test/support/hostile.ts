import fc from "fast-check";
import { pathsOf, withMember } from "./swapped.ts";

/** A change of a report: what is done, where, and with which of the hostile texts. The numbers wrap around. */
export interface Change {
  readonly kind: number;
  readonly at: number;
  readonly text: number;
}

const number = fc.nat(2_147_483_647);

/** One to three changes of a report. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({ kind: number, at: number, text: number }),
  {
    minLength: 1,
    maxLength: 3,
  },
);

/** Deeper than any function may call itself. */
const levels = 50_000;
const numbers = ["9".repeat(400), "-1", "0.5", "1e300", "1e999", "-1e999", "9007199254740993", "2147483648", "", "NaN"];
const texts = [
  "__proto__",
  "constructor",
  "toString",
  "\u0000\u001b[31m\u202e",
  "\ud800",
  "x".repeat(100_000),
  "🐷".repeat(3_000),
];

/** JSON that may stand in place of any value. */
const values = [
  "[".repeat(levels) + "]".repeat(levels),
  `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
  ...numbers.filter((text) => text !== "" && text !== "NaN"),
  ...[...texts, ...numbers].map((text) => JSON.stringify(text)),
  ...["null", "true", "[]", "{}", "[[]]", "[null]", '{"length":1000000000}', '{"__proto__":{"results":[]}}'],
];

const pick = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % list.length];

/** What can be done to the text of any report. */
const ways: readonly ((text: string, change: Change) => string)[] = [
  (text, { at }) => text.slice(0, at % (text.length + 1)),
  (text, { at, text: length }) => text.slice(0, at % text.length) + text.slice((at % text.length) + (length % 20)),
  (text, { at, text: other }) => replaced(text, /-?\d+(?:\.\d+)?/g, at, () => pick(numbers, other) ?? ""),
  (text, { at, text: other }) => replaced(text, /"[^"\n]*"/g, at, () => JSON.stringify(pick(texts, other))),
  (text, { at, text: times }) => replaced(text, /[^\n]+\n?/g, at, (line) => line.repeat(times % 4)),
  (text, { at, text: times }) =>
    replaced(text, /<(\w+)[^<>]*\/>|<(\w+)[^<>]*>[^<>]*<\/\2>/g, at, (found) => found.repeat(times % 4)),
  (text, { at }) =>
    replaced(text, /<\w+[^<>]*>/g, at, (tag) => `${tag}${"<a>".repeat(levels)}${"</a>".repeat(levels)}`),
  (text, change) => changedMember(text, change, (path, value) => withMember(value, path, marker)),
  (text, change) => changedMember(text, change, (path, value) => withMember(value, path, undefined)),
  (text, change) =>
    changedMember(text, change, (path, value) => withMember(value, path.slice(0, -1), [value, value, marker])),
];

/** The text of a report after a change. The same text if the change does not fit it. */
export function changed(text: string, change: Change): string {
  return text === "" ? text : (pick(ways, change.kind)?.(text, change) ?? text);
}

function replaced(text: string, pattern: RegExp, at: number, by: (found: string) => string): string {
  const match = pick([...text.matchAll(pattern)], at);
  return match ? text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length) : text;
}

/** Most characters of a report of which a member is changed: what is nested already is not walked through. */
const maxMembers = 50_000;

/** Stands for a text that is no value of JavaScript, such as a number of 400 digits. */
const marker = "\u0000marker";

function changedMember(
  text: string,
  { at, text: other }: Change,
  change: (path: readonly string[], value: unknown) => unknown,
): string {
  if (text.length > maxMembers) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const path = pick(pathsOf(value), at) ?? [];
  return (JSON.stringify(change(path, value)) ?? "").replace(JSON.stringify(marker), () => pick(values, other) ?? "");
}
