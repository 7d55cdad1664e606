import { expect, test } from "vitest";
import { nameOfBytes, pathBytes } from "./path-bytes.ts";

test.each<[string, number[], string]>([
  ["ASCII", [0x61, 0x2e, 0x62], "a.b"],
  ["UTF-8 of every length", [...Buffer.from("a\u00e9\u20ac\u{1f600}")], "a\u00e9\u20ac\u{1f600}"],
  ["bytes that are none", [0xff, 0x61, 0xfe], "\udcffa\udcfe"],
  ["UTF-8 that is cut off", [0x61, 0xe2, 0x82], "a\udce2\udc82"],
  ["bytes that are none between UTF-8", [0xc3, 0xa9, 0xe9, 0xc3, 0xa9], "\u00e9\udce9\u00e9"],
  ["a stand-in written as if it were UTF-8", [0xed, 0xb3, 0xbf], "\udced\udcb3\udcbf"],
  ["UTF-8 in more bytes than it needs", [0xc0, 0xaf], "\udcc0\udcaf"],
])("%s becomes a text, and the same bytes again", (_, bytes, name) => {
  expect(nameOfBytes(Buffer.from(bytes))).toBe(name);
  expect(Buffer.from(pathBytes(name))).toEqual(Buffer.from(bytes));
});

test("every two bytes come back", () => {
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      const bytes = Buffer.of(first, second);
      if (!Buffer.from(pathBytes(nameOfBytes(bytes))).equals(bytes)) expect.fail(bytes.toString("hex"));
    }
  }
});
