import { nameFault } from "@maturity/core/wire";

/** Names that are allowed and that something on the way to the database and back might break. */
export const hostileNames: readonly string[] = [
  '"',
  "\\",
  '\\"',
  "\\n",
  "\\\\",
  "{",
  "}",
  '{area="x"}',
  '",area="forged',
  "'",
  "' OR 1=1 --",
  "'; DROP TABLE scores; --",
  "$1",
  "?",
  ":name",
  "??",
  "%",
  "%s",
  "100 %",
  "%00",
  "\\x00",
  "\\000",
  "E'\\\\x01'",
  "a/b",
  "../..",
  "a,b",
  "a=b",
  "#",
  "null",
  "undefined",
  "NaN",
  "0",
  "true",
  "__proto__",
  "constructor",
  "<script>alert(1)</script>",
  "<!channel>",
  "&amp;",
  "two  blanks",
  "caf\u00e9",
  "cafe\u0301",
  "\u05e9\u05dc\u05d5\u05dd",
  "\u{1f469}\u{1f469}\u{1f467}",
  "\u{1f600}".repeat(200),
  "a".repeat(200),
];

/** Names that a former version took and the store may hold, with characters that are not printable. */
export const hiddenNames: readonly string[] = [
  "\u202eright to left\u202c",
  "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
  "\u200b",
  "\u00adsoft",
  "\u3164",
  "\uffff",
  "\u{10ffff}",
  "\ue000",
  "line\u2028separator",
  "no-break\u00a0space",
];

/** Names of so many code points beyond the first 65,536, different for each seed. */
export function astral(seed: number, length = 200): string {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const code = 0x10000 + ((state >>> 8) % 0x100000);
    return nameFault(String.fromCodePoint(code)) === undefined ? code : next();
  };
  return String.fromCodePoint(...Array.from({ length }, next));
}

/** Pairs of (team, app) that a key made by joining them, or by folding them, would take for one. */
export const lookalikes: readonly (readonly [team: string, app: string])[] = [
  ["a", "bc"],
  ["ab", "c"],
  ["a,b", "c"],
  ["a", "b,c"],
  ["a/b", "c"],
  ["a", "b/c"],
  ["a|b", "c"],
  ["a", "b|c"],
  ["a b", "c"],
  ["a", "b c"],
  ['a"', "b"],
  ["a", '"b'],
  ["a\\", "b"],
  ["a", "\\b"],
  ["a\\\\", "b"],
  ["a\\x01b", "c"],
  ["a", "x01b\\c"],
  ["a\\001b", "c"],
  ["a\\", "001b\\c"],
  ["A", "bc"],
  ["a", "BC"],
  ["cart", "caf\u00e9"],
  ["cart", "cafe\u0301"],
  ["cart", "Caf\u00e9"],
  ["cart", "\u212b"],
  ["cart", "\u00c5"],
  ["cart", "A\u030a"],
  ["stra\u00dfe", "x"],
  ["strasse", "x"],
  ["\uff21", "x"],
  ["i", "x"],
  ["I", "x"],
  ["\u0130", "x"],
  ["\u0131", "x"],
  ["x\u0327y", "z"],
  ["xy", "z"],
];
