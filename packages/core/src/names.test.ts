import { describe, expect, test } from "vitest";
import { nameFault, namePattern } from "./wire.ts";

const names = [
  "a",
  "two  words",
  "caf\u00e9",
  "cafe\u0301",
  "\u65e5\u672c\u8a9e",
  "\u05e9\u05dc\u05d5\u05dd",
  "\u0646\u0645\u0627",
];
const more = ["\u0939\u093f\u0928\u094d\u0926\u0940", "\ud55c\uad6d\uc5b4", "\u{1f600}", "\u2764", '"\\{}'];

test.each([...names, ...more, "\u{1f600}".repeat(200)])("%j is a name", (text) => {
  expect(nameFault(text)).toBeUndefined();
});

const shape = "must be a text of 1 to 200 characters, without a space at either end";
const unprintable = (code: string, position: number) =>
  `must not hold ${code}, which is not printable, as character ${position}`;
const otherSpace = (code: string, position: number) =>
  `must not hold ${code}, a space other than U+0020, as character ${position}`;

const faults: Readonly<Record<string, readonly [text: string, fault: string]>> = {
  "no text": ["", shape],
  "a blank before": [" a", shape],
  "a blank behind": ["a ", shape],
  "a blank alone": [" ", shape],
  "201 letters": ["a".repeat(201), shape],
  "a mebibyte of zero-width spaces": ["\u200b".repeat(1_048_576), shape],
  NUL: ["a\0b", unprintable("U+0000", 2)],
  "a line feed": ["a\nb", unprintable("U+000A", 2)],
  "a zero-width space": ["shop\u200b", unprintable("U+200B", 5)],
  "a zero-width space alone": ["\u200b", unprintable("U+200B", 1)],
  "a zero-width joiner behind an emoji": ["\u{1f469}\u200d\u{1f467}", unprintable("U+200D", 2)],
  "a variation selector": ["\u2764\ufe0f", unprintable("U+FE0F", 2)],
  "a variation selector of the supplement": ["a\u{e0100}", unprintable("U+E0100", 2)],
  "a soft hyphen": ["sh\u00adop", unprintable("U+00AD", 3)],
  "a byte order mark": ["a\ufeffb", unprintable("U+FEFF", 2)],
  "writing from right to left": ["\u202eshop", unprintable("U+202E", 1)],
  "a tag": ["a\u{e0041}", unprintable("U+E0041", 2)],
  "a Hangul filler": ["\u3164", unprintable("U+3164", 1)],
  "a halfwidth Hangul filler": ["a\uffa0", unprintable("U+FFA0", 2)],
  "Hangul fillers of one syllable": ["\u115f\u1160", unprintable("U+115F", 1)],
  "a combining grapheme joiner": ["a\u034f", unprintable("U+034F", 2)],
  "an inherent vowel of Khmer": ["\u17b4", unprintable("U+17B4", 1)],
  "a vowel separator of Mongolian": ["a\u180e", unprintable("U+180E", 2)],
  "the blank of Braille": ["a\u2800b", unprintable("U+2800", 2)],
  "a line separator": ["a\u2028b", unprintable("U+2028", 2)],
  "a paragraph separator": ["a\u2029b", unprintable("U+2029", 2)],
  "a no-break space": ["a\u00a0b", otherSpace("U+00A0", 2)],
  "a no-break space before": ["\u00a0b", otherSpace("U+00A0", 1)],
  "a space of Ogham": ["a\u1680b", otherSpace("U+1680", 2)],
  "an em space": ["a\u2003b", otherSpace("U+2003", 2)],
  "an ideographic space behind": ["a\u3000", otherSpace("U+3000", 2)],
  "private use": ["a\ue000", unprintable("U+E000", 2)],
  "private use of the last plane": ["\u{100000}", unprintable("U+100000", 1)],
  "a noncharacter": ["a\uffff", unprintable("U+FFFF", 2)],
  "a noncharacter within a plane": ["\ufdd0", unprintable("U+FDD0", 1)],
  "the last code point": ["\u{10ffff}", unprintable("U+10FFFF", 1)],
  "a code point that no character is assigned to": ["a\u0378", unprintable("U+0378", 2)],
  "a bell before what makes 400 units of UTF-16": [`\u0007a${"\u{1f600}".repeat(199)}`, unprintable("U+0007", 1)],
  "bytes that are not UTF-8": [
    "a\ufffd",
    "must not hold U+FFFD, which stands for bytes that are not UTF-8, as character 2",
  ],
  "a surrogate alone": ["a\ud800", unprintable("U+D800", 2)],
};

describe("is no name:", () => {
  test.each(Object.entries(faults))("%s", (_, [text, fault]) => {
    expect(nameFault(text)).toBe(fault);
    expect(namePattern(200).test(text)).toBe(false);
  });
});

test("of all separators only U+0020 is part of a name, and nothing that is no character", () => {
  const pattern = namePattern(3);
  const others = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((text) =>
    /[\p{C}\p{Z}]/u.test(text),
  );
  expect(others.filter((text) => pattern.test(`a${text}b`))).toEqual([" "]);
});

test("names of another length are distinguished by it", () => {
  expect(nameFault("a".repeat(2_048), 2_048)).toBeUndefined();
  expect(nameFault("a".repeat(2_049), 2_048)).toContain("1 to 2048 characters");
});
