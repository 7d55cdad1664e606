import { describe, expect, test } from "vitest";
import { endOf } from "./end.ts";

const now = Date.parse("2027-01-10T12:30:00Z");

describe("a waiver ends", () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ["when a day begins in UTC", "2027-03-01", undefined, "2027-03-01T00:00:00.000Z"],
    ["at a time", "2027-03-01T12:00Z", undefined, "2027-03-01T12:00:00.000Z"],
    ["at a time of another zone", "2027-03-01T12:00:00+02:00", undefined, "2027-03-01T10:00:00.000Z"],
    ["on a leap day", "2028-02-29", undefined, "2028-02-29T00:00:00.000Z"],
    ["after hours", undefined, "12h", "2027-01-11T00:30:00.000Z"],
    ["after days", undefined, "30d", "2027-02-09T12:30:00.000Z"],
    ["after weeks", undefined, "8w", "2027-03-07T12:30:00.000Z"],
    ["never", undefined, undefined, undefined],
  ])("%s", (_, until, lasting, end) => {
    expect(endOf(until, lasting, now)).toBe(end);
  });

  test.each<[unknown, unknown, string]>([
    ["tomorrow", undefined, "--until must be a day such as 2027-03-01"],
    ["2027-02-30", undefined, "--until must be a day"],
    ["2027-02-30T12:00:00Z", undefined, "--until must be a day"],
    ["01.03.2027", undefined, "--until must be a day"],
    ["2027-03-01T12:00", undefined, "--until must be a day"],
    ["2027-01-10", undefined, "--until must be ahead of now, and 2027-01-10 is past"],
    [undefined, "30", "--for must be a time such as 12h, 30d or 8w"],
    [undefined, "0d", "--for must be a time"],
    [undefined, "-1d", "--for must be a time"],
    [undefined, "1.5d", "--for must be a time"],
    ["2027-03-01", "30d", "give --until or --for, not both"],
  ])("not at %j or after %j", (until, lasting, message) => {
    expect(() => endOf(until, lasting, now)).toThrow(message);
  });
});
