import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeIn } from "./time-text.ts";

const moment = "2024-10-03T10:11:12.000Z";

test.each([
  ["2024-10-03T10:11:12Z", moment],
  ["2024-10-03t10:11:12z", moment],
  ["2024-10-03T10:11:12.265546208Z", "2024-10-03T10:11:12.265Z"],
  ["2024-10-03T10:11:12,5Z", "2024-10-03T10:11:12.500Z"],
  ["2024-10-03T12:11:12+02:00", moment],
  ["2024-10-03T06:11:12.748-0400", "2024-10-03T10:11:12.748Z"],
  ["2024-10-03T12:11:12+02", moment],
  ["2024-10-03 03:11:12 -0700", moment],
  ["2024-10-03 03:11:12 -0700 -0700", moment],
  ["2024-10-03 10:11:12.5 +0000 UTC m=+0.0123", "2024-10-03T10:11:12.500Z"],
  ["2024-10-03 10:11 UTC", "2024-10-03T10:11:00.000Z"],
  ["Thu, 3 Oct 2024 10:11:12 GMT", moment],
  ["Thu, 03 Oct 2024 12:11:12 +0200", moment],
  ["Thu Oct 03 10:11:12 UTC 2024", moment],
  ["1727950272", moment],
  ["1727950272.265", "2024-10-03T10:11:12.265Z"],
  ["1727950272265", "2024-10-03T10:11:12.265Z"],
  [1727950272, moment],
  [1727950272265, "2024-10-03T10:11:12.265Z"],
  [1727950272265000, "2024-10-03T10:11:12.265Z"],
  ["1727950272265000000", "2024-10-03T10:11:12.265Z"],
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
  [0, "1970-01-01T00:00:00.000Z"],
])("%s is read with its zone", (value, expected) => {
  const time = timeIn(value);
  expect(new Date(time?.at ?? Number.NaN).toISOString()).toBe(expected);
  expect(time?.hasZone).toBe(true);
});

test.each([
  "2024-10-03T10:11:12",
  "2024-10-03 10:11:12",
  "2024/10/03 10:11:12",
  "Thu, 3 Oct 2024 10:11:12",
  "3 Oct 2024 10:11:12",
  "Thu Oct  3 10:11:12 2024",
  "Thu Oct 03 10:11:12 CEST 2024",
  "2024-10-03 10:11:12 WIB",
])("%s is read as UTC", (value) => {
  expect(timeIn(value)).toEqual({ at: Date.parse(moment), hasZone: false });
});

test.each([
  undefined,
  null,
  true,
  {},
  [1727950272],
  "",
  "yesterday",
  "2024-10-03",
  "10:11:12",
  "2024-13-03T10:11:12Z",
  "2023-02-29T10:11:12Z",
  "2024-10-03T24:00:00Z",
  "2024-10-03T10:60:12Z",
  "2024-10-03T10:11:60Z",
  "2024-10-03T10:11:12+99:00",
  "2024-10-03T10:11:12;",
  "jeu., 3 oct. 2024 10:11:12",
  "Thu, 3 Xyz 2024 10:11:12",
  "Thu Oct 03 10:11:12",
  "-1727950272",
  "1e9",
  "0x66fe7000",
  Number.NaN,
  Number.POSITIVE_INFINITY,
  `2024-10-03T10:11:12Z${" ".repeat(100)}`,
])("%j is no time", (value) => expect(timeIn(value)).toBeUndefined());

describe("whatever the time", () => {
  const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const date = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2100-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  const pad = (number: number) => String(number).padStart(2, "0");

  test("every form of it is read alike", () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -14 * 60, max: 14 * 60 }), (exact, offset) => {
        const at = Math.floor(exact.getTime() / 1_000) * 1_000;
        const local = new Date(at + offset * 60_000);
        const zone = `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60))}${pad(Math.abs(offset) % 60)}`;
        const [day = "", clock = ""] = local.toISOString().slice(0, 19).split("T");
        const [weekday, number, month, year] = local.toUTCString().replace(",", "").split(" ");
        for (const form of [
          `${day}T${clock}${zone}`,
          `${day} ${clock} ${zone}`,
          `${weekday}, ${number} ${month} ${year} ${clock} ${zone}`,
          `${weekday} ${month} ${number} ${clock} ${zone} ${year}`,
          new Date(at).toUTCString(),
          new Date(at).toISOString(),
          at,
          at / 1_000,
          String(at * 1_000),
        ]) {
          expect(timeIn(form), String(form)).toEqual({ at, hasZone: true });
        }
        expect(timeIn(`${day}T${clock}`)).toEqual({ at: local.getTime(), hasZone: false });
        expect(days).toContain(weekday);
      }),
    );
  });

  test("no value makes it fail", () => {
    const pieces = fc.constantFrom(
      "2024",
      "-",
      "10",
      "03",
      "T",
      ":",
      ".",
      "Z",
      "+",
      " ",
      "Oct",
      "Thu,",
      "\u0000",
      "٣",
      "x",
    );
    const texts = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string(), fc.double(), texts), (value) => {
        const time = timeIn(value);
        if (time !== undefined) expect(Number.isSafeInteger(time.at)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
