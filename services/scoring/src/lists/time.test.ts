import { expect, test } from "vitest";
import { timeParameter } from "./time.ts";

const usual = "must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z";

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
])("%s is taken as %s", (text, time) => {
  expect(timeParameter.validate(text)).toEqual({ value: time });
});

test.each([
  ["2026-01-31T12:00:00", "must end with its zone, such as Z for UTC: 2026-01-31T12:00:00Z"],
  ["9999-12-31", "must be before the year 3000"],
  ["+275760-09-13T00:00:00Z", "must be before the year 3000"],
  ["2026-02-30", usual],
  ["2026-01-31 12:00", usual],
  ["2026-01-31T12:00:00+24:00", usual],
  ["0999-01-01", usual],
  ["tomorrow", usual],
])("%s is refused: %s", (text, message) => {
  expect(timeParameter.validate(text).error?.message).toBe(message);
});
