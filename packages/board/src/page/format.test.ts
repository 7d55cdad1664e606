import { expect, test } from "vitest";
import {
  age,
  ago,
  ahead,
  clock,
  measuredBefore,
  percent,
  points,
  signed,
  span,
  stepOf,
  tenths,
  wholeScore,
} from "./format.ts";

test.each([
  { score: 0, whole: 0, step: 0 },
  { score: 19.4, whole: 19, step: 0 },
  { score: 19.5, whole: 20, step: 1 },
  { score: 39.99, whole: 40, step: 2 },
  { score: 62.84, whole: 63, step: 3 },
  { score: 99.99, whole: 99, step: 4 },
  { score: 100, whole: 100, step: 4 },
])("$score is written $whole, on the colour of that number", ({ score, whole, step }) => {
  expect({ whole: wholeScore(score), step: stepOf(score) }).toEqual({ whole, step });
});

test.each([
  { share: 0, text: "0 %" },
  { share: 0.001, text: "1 %" },
  { share: 0.3625, text: "36 %" },
  { share: 0.999, text: "99 %" },
  { share: 1, text: "100 %" },
])("a share of $share is $text: nothing and everything are never rounded to", ({ share, text }) => {
  expect(percent(share)).toBe(text.replace(" ", "\u00a0"));
});

test.each([
  { by: -4.25, text: "−4.3" },
  { by: 1.4, text: "+1.4" },
  { by: -3, text: "−3.0" },
  { by: 0.04, text: "0" },
  { by: -0.04, text: "0" },
])("a change of $by is $text", ({ by, text }) => {
  expect(signed(by)).toBe(text);
});

test.each([
  { milliseconds: 59_999, text: "now" },
  { milliseconds: 60_000, text: "1 min" },
  { milliseconds: 3_600_000, text: "1 h" },
  { milliseconds: 47 * 3_600_000, text: "47 h" },
  { milliseconds: 48 * 3_600_000, text: "2 d" },
])("$milliseconds ms are $text", ({ milliseconds, text }) => {
  expect(span(milliseconds)).toBe(text);
});

test("a time that is still to come by the reader's clock is now", () => {
  expect(age("2026-01-02T00:00:00Z", Date.parse("2026-01-01T00:00:00Z"))).toBe("now");
});

test.each([
  { hours: 0, text: "now" },
  { hours: 30, text: "in 30 h" },
  { hours: 8 * 24 + 15, text: "in 9 d" }, // from 9 o'clock to midnight
  { hours: 8 * 24 + 14, text: "in 8 d" },
])("what is $hours hours ahead is $text by the calendar", ({ hours, text }) => {
  const now = new Date(2026, 5, 10, 9);
  expect(ahead(new Date(2026, 5, 10, 9 + hours).toISOString(), now.getTime())).toBe(text);
});

test("what was a moment ago was just now", () => {
  const now = Date.parse("2026-01-03T00:00:30Z");
  expect(ago("2026-01-03T00:00:00Z", now)).toBe("just now");
  expect(ago("2026-01-01T00:00:00Z", now)).toBe("2 d ago");
});

test("points have one digit after the point where it says something", () => {
  expect([points(62.84), points(63), points(1234.5)]).toEqual(["62.8", "63", "1,234.5"]);
});

test("what is below 100 is never written 100", () => {
  expect([points(99.97), tenths(99.97), points(100), tenths(100)]).toEqual(["99.9", "99.9", "100", "100.0"]);
});

test("a time of another day has its day", () => {
  const evening = new Date(2026, 10, 3, 22, 42, 5).getTime();
  expect(clock(evening, evening + 60_000)).toBe("22:42:05");
  expect(clock(evening, evening + 8 * 3_600_000)).toBe("3 Nov 2026, 22:42");
});

test.each([
  { minutes: 0, text: undefined },
  { minutes: 60, text: undefined },
  { minutes: 61, text: "measured 1 h ago, arrived just now" },
  { minutes: 21 * 24 * 60, text: "measured 21 d ago, arrived just now" },
])("a result that arrived $minutes minutes after it was measured: $text", ({ minutes, text }) => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const measured = new Date(now - minutes * 60_000).toISOString();
  const said = measuredBefore(measured, new Date(now).toISOString(), now);
  expect(said?.replaceAll("\u00a0", " ")).toBe(text);
});
