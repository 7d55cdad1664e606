import { expect, test } from "vitest";
import { decode } from "./decode.ts";

const text = '{"Täter": "😀"}\n';
const utf16 = Buffer.from(text, "utf16le");

/** An XML declaration, and bytes behind it. */
const xml = (encoding: string, ...bytes: readonly number[]) => {
  const quoted = encoding.startsWith("'") ? encoding : `"${encoding}"`;
  return Buffer.concat([Buffer.from(`<?xml version="1.0" encoding=${quoted}?>`), Buffer.from(bytes)]);
};

test.each<[string, Uint8Array | string, string]>([
  ["a text", text, text],
  ["a text with a byte order mark", `\uFEFF${text}`, text],
  ["UTF-8", Buffer.from(text), text],
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`), text],
  ["UTF-16LE with a byte order mark", Buffer.from(`\uFEFF${text}`, "utf16le"), text],
  ["UTF-16BE with a byte order mark", Buffer.from(`\uFEFF${text}`, "utf16le").swap16(), text],
  ["UTF-16LE without one", utf16, text],
  ["UTF-16BE without one", Buffer.from(utf16).swap16(), text],
  ["UTF-16 with an odd last byte", Buffer.concat([Buffer.from(`\uFEFF${text}`, "utf16le"), Buffer.from("\n")]), text],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "{ÿ}"],
  ["half a character at the end", Buffer.from("ä").subarray(0, 1), "Ã"],
  ["a byte order mark of UTF-8 before bytes that are none", Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff]), "{ÿ"],
  ["XML in a declared encoding", xml("koi8-r", 0xc1), `${xml("koi8-r")}\u0430`],
  ["XML in a declared encoding, by apostrophes", xml("'Shift_JIS'", 0x83, 0x41), `${xml("'Shift_JIS'")}ア`],
  ["XML whose bytes are not of its encoding", xml("shift_jis", 0xe9), `${xml("shift_jis")}é`],
  ["XML in UTF-8 that declares another encoding", xml("iso-8859-1", ...Buffer.from("é")), `${xml("iso-8859-1")}é`],
  ["XML that declares UTF-16 and is not", xml("utf-16", 0xe9, 0x3e), `${xml("utf-16")}é>`],
  ["XML of an unknown encoding", xml("ebcdic", 0xe9), `${xml("ebcdic")}é`],
  ["nothing", new Uint8Array(), ""],
  ["one byte", Uint8Array.of(0x7b), "{"],
  ["a byte order mark alone", Uint8Array.of(0xff, 0xfe), ""],
  ["a view of a part of a buffer", Buffer.from(`xx${text}`).subarray(2), text],
])("%s", (_name, report, expected) => {
  expect(decode(report)).toBe(expected);
});

test("no two bytes become one character", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => decode(Uint8Array.of(0x61, byte, 0xff)));
  expect(new Set(bytes).size).toBe(256);
});
