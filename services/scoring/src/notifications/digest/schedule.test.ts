import { expect, test } from "vitest";
import { parseSchedule } from "./schedule.ts";

const last = (schedule: string, now: string) => parseSchedule(schedule).lastDue(new Date(now)).toISOString();

test.each([
  ["mon 09:00 Europe/Berlin", "2026-11-23T08:00:01Z", "2026-11-23T08:00:00.000Z"],
  ["mon 09:00 Europe/Berlin", "2026-11-23T07:59:59Z", "2026-11-16T08:00:00.000Z"],
  ["Mon  09:00  Europe/Berlin", "2026-07-07T00:00:00Z", "2026-07-06T07:00:00.000Z"],
  ["fri 23:59", "2026-11-22T12:00:00Z", "2026-11-20T23:59:00.000Z"],
  ["sun 02:30 Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T01:00:00.000Z"],
  ["sun 02:30 Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-25T00:30:00.000Z"],
  ["sun 00:00 Pacific/Kiritimati", "2026-11-21T10:00:01Z", "2026-11-21T10:00:00.000Z"],
])("%s is due before %s at %s", (schedule, now, due) => {
  expect(last(schedule, now)).toBe(due);
});

test("two instances find the same time, whenever in the week they look", () => {
  const schedule = parseSchedule("thu 17:30 America/New_York");
  const due = Date.parse("2026-11-19T22:30:00Z");
  for (let minutes = 1; minutes < 7 * 24 * 60; minutes += 97) {
    expect(Number(schedule.lastDue(new Date(due + minutes * 60_000)))).toBe(due);
  }
});

test.each(["", "mon", "monday 09:00", "mon 9:00", "mon 24:00", "mon 09:60", "0 9 * * 1", "mon 09:00 Europe/Berlin x"])(
  "%j is refused with an example",
  (text) => {
    expect(() => parseSchedule(text)).toThrow(
      new RangeError("must be a day of the week and a time, such as mon 09:00 Europe/Berlin"),
    );
  },
);

test("a time zone that does not exist is refused", () => {
  expect(() => parseSchedule("mon 09:00 Mars/Phobos")).toThrow(/must end with a time zone .* such as Europe\/Berlin/);
});

test("shows a time in its time zone", () => {
  expect(parseSchedule("mon 09:00 Europe/Berlin").show(new Date("2026-11-23T08:00:00Z"))).toBe(
    "Mon, 23 Nov 2026, 09:00",
  );
});
