import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { readReport } from "./index.ts";

const text = "SF:a.ts\nDA:1,1\nDA:2,0\nend_of_record\n";
const packed = gzipSync(text);
const metric = "unit_coverage";

test("a gzip file reads as what it holds, in any encoding", () => {
  const whole = readReport(text, { metric });
  expect(readReport(packed, { metric })).toEqual(whole);
  expect(readReport(gzipSync(Buffer.from(`\uFEFF${text}`, "utf16le")), { metric })).toEqual(whole);
  expect(readReport(Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))]), { metric })).toEqual(whole);
});

test("cut off anywhere it is refused", () => {
  for (let length = 3; length < packed.length; length++) {
    expect(() => readReport(packed.subarray(0, length), { metric })).toThrow("a gzip file that is cut off or damaged");
  }
});

test("damaged anywhere it is refused, or reads the same", () => {
  const whole = readReport(text, { metric });
  for (let at = 3; at < packed.length; at++) {
    const damaged = Uint8Array.from(packed);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    let reading: unknown;
    try {
      reading = readReport(damaged, { metric });
    } catch (error) {
      expect(error).toMatchObject({ code: "unreadable-report" });
      continue;
    }
    expect(reading, `byte ${at}`).toEqual(whole);
  }
});

test("what unpacks without end is refused", () => {
  const megabyte = gzipSync(Buffer.alloc(1_048_576, " "));
  const bomb = Buffer.concat(Array.from({ length: 257 }, () => megabyte));
  expect(() => readReport(bomb)).toThrow("the report is a gzip file that unpacks to more than 256 MiB");
});

test("packed twice it is refused, and says so", () => {
  expect(() => readReport(gzipSync(packed), { metric })).toThrow(
    "the report is a gzip file in a gzip file: unpacked once, what is inside is gzip again",
  );
});

test("nothing in it is an empty report", () => {
  expect(() => readReport(gzipSync(""))).toThrow(expect.objectContaining({ code: "empty-report" }));
});

test("where there is no Node, it says what to do", () => {
  vi.stubGlobal("process", undefined);
  try {
    expect(() => readReport(packed)).toThrow("the report is a gzip file: unpack it first");
  } finally {
    vi.unstubAllGlobals();
  }
});
