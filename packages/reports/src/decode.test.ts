import { expect, test } from "vitest";
import { decode } from "./decode.ts";

const text = '{"Täter": "😀"}\n';
const utf16 = Buffer.from(text, "utf16le");

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
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "{\uFFFD}"],
  ["half a character at the end", Buffer.from("ä").subarray(0, 1), "\uFFFD"],
  ["nothing", new Uint8Array(), ""],
  ["one byte", Uint8Array.of(0x7b), "{"],
  ["a byte order mark alone", Uint8Array.of(0xff, 0xfe), ""],
  ["a view of a part of a buffer", Buffer.from(`xx${text}`).subarray(2), text],
])("%s", (_name, report, expected) => {
  expect(decode(report)).toBe(expected);
});
