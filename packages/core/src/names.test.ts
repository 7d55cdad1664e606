import { describe, expect, test } from "vitest";
import { nameFault, namePattern } from "./index.ts";

const names = [
  "a",
  "two  words",
  "caf\u00e9",
  "cafe\u0301",
  "\u65e5\u672c\u8a9e",
  "\u05e9\u05dc\u05d5\u05dd",
  "\u0646\u0645\u0627",
];
const more = [
  "\u0939\u093f\u0928\u094d\u0926\u0940",
  "\ud55c\uad6d\uc5b4",
  "\u{1f600}",
  "\u2764",
  "\ufffd",
  "\u{10ffff}",
  '"\\{}',
];

test.each([...names, ...more, "\u{1f600}".repeat(200)])("%j is a name", (text) => {
  expect(nameFault(text)).toBeUndefined();
});

const shape = "must be a text of 1 to 200 characters, without white space at either end";
const hidden = (code: string, position: number) =>
  `must not hold ${code}, which nobody can see, as character ${position}`;

const faults: Readonly<Record<string, readonly [text: string, fault: string]>> = {
  "no text": ["", shape],
  "a blank before": [" a", shape],
  "an ideographic space behind": ["a\u3000", shape],
  "201 letters": ["a".repeat(201), shape],
  "a mebibyte of what nobody can see": ["\u200b".repeat(1_048_576), shape],
  NUL: ["a\0b", hidden("U+0000", 2)],
  "a line feed": ["a\nb", hidden("U+000A", 2)],
  "a zero-width space": ["shop\u200b", hidden("U+200B", 5)],
  "a zero-width space alone": ["\u200b", hidden("U+200B", 1)],
  "a zero-width joiner behind an emoji": ["\u{1f469}\u200d\u{1f467}", hidden("U+200D", 2)],
  "a variation selector": ["\u2764\ufe0f", hidden("U+FE0F", 2)],
  "a variation selector of the supplement": ["a\u{e0100}", hidden("U+E0100", 2)],
  "a soft hyphen": ["sh\u00adop", hidden("U+00AD", 3)],
  "a byte order mark": ["a\ufeffb", hidden("U+FEFF", 2)],
  "writing from right to left": ["\u202eshop", hidden("U+202E", 1)],
  "a tag": ["a\u{e0041}", hidden("U+E0041", 2)],
  "a Hangul filler": ["\u3164", hidden("U+3164", 1)],
  "a halfwidth Hangul filler": ["a\uffa0", hidden("U+FFA0", 2)],
  "Hangul fillers of one syllable": ["\u115f\u1160", hidden("U+115F", 1)],
  "a combining grapheme joiner": ["a\u034f", hidden("U+034F", 2)],
  "an inherent vowel of Khmer": ["\u17b4", hidden("U+17B4", 1)],
  "a vowel separator of Mongolian": ["a\u180e", hidden("U+180E", 2)],
  "the blank of Braille": ["a\u2800b", hidden("U+2800", 2)],
  "a surrogate alone": ["a\ud800", hidden("U+D800", 2)],
};

describe("is no name:", () => {
  test.each(Object.entries(faults))("%s", (_, [text, fault]) => {
    expect(nameFault(text)).toBe(fault);
    expect(namePattern(200).test(text)).toBe(false);
  });
});

test("names of another length are told by it", () => {
  expect(nameFault("a".repeat(2_048), 2_048)).toBeUndefined();
  expect(nameFault("a".repeat(2_049), 2_048)).toContain("1 to 2048 characters");
});
