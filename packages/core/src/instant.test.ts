import fc from "fast-check";
import { expect, test } from "vitest";
import { dayExists, isInstant } from "./wire.ts";

const two = (number: number) => String(number).padStart(2, "0");
const leapDays = (year: number) => (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);

test("a day exists where its month has so many", () => {
  const year = fc.integer({ min: 1000, max: 2999 });
  fc.assert(
    fc.property(year, fc.nat(13), fc.nat(32), (year, month, day) => {
      const days = [31, leapDays(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
      const text = `${year}-${two(month)}-${two(day)}`;
      const exists = day > 0 && day <= days;
      expect([text, dayExists(text), isInstant(`${text}T08:00:00Z`)]).toEqual([text, exists, exists]);
    }),
  );
});

test.each(["2026-03-01T08:00:00Z", "2028-02-29T23:59:59.123456789-15:59", "2026-03-01T08:00:00+14:00"])(
  "%s is a time",
  (text) => expect(isInstant(text)).toBe(true),
);

test.each([
  "2026-03-01",
  "2026-03-01T08:00:00",
  "2026-03-01T08:00Z",
  "2026-03-01t08:00:00z",
  "2026-03-01T24:00:01Z",
  "2026-03-01T08:60:00Z",
  "2026-03-01T08:00:00+16:00",
  "3026-03-01T08:00:00Z",
  "2026-03-01T08:00:00Z\n",
])("%j is none", (text) => expect(isInstant(text)).toBe(false));
