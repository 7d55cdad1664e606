import { scoreText, shareText } from "@maturity/command-line/score-text";
import { expect, test } from "vitest";
import { age, dayOf, differenceText, problemsText } from "./words.ts";

test.each([
  [0, "0 %"],
  [0.001, "1 %"],
  [0.526, "53 %"],
  [0.999, "99 %"],
  [1, "100 %"],
])("the share %d is %s", (share, text) => expect(shareText(share)).toBe(text));

test.each([
  [0, "0.0"],
  [63.24, "63.2"],
  [99.99, "99.9"],
  [100, "100.0"],
])("the score %d is %s", (score, text) => expect(scoreText(score)).toBe(text));

test.each([
  ["2026-03-01T12:00:30.000Z", "1 minute"],
  ["2026-03-01T11:58:00.000Z", "2 minutes"],
  ["2026-03-01T11:00:00.000Z", "1 hour"],
  ["2026-02-28T12:00:01.000Z", "23 hours"],
  ["2026-02-01T12:00:00.000Z", "28 days"],
])("what is of %s is %s old", (time, text) => expect(age(time, "2026-03-01T12:00:00.000Z")).toBe(text));

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
test.each([
  [none, "-"],
  [{ ...none, high: 2 }, "2 high"],
  [{ ...none, critical: 1, medium: 2, info: 3 }, "1 critical, 5 more"],
])("the problems %j are %s", (problems, text) => expect(problemsText(problems)).toBe(text));

test.each([
  [-8.05, "-8.1"],
  [-0.01, "0.0"],
  [0, "0.0"],
  [0.04, "0.0"],
  [3.2, "+3.2"],
])("the difference %d is %s", (difference, text) => expect(differenceText(difference)).toBe(text));

test.each([
  ["30d", "2026-01-30"],
  ["0d", "2026-03-01"],
  ["2026-01-31", "2026-01-31"],
  ["yesterday", "yesterday"],
])("the day %s is %s", (flag, day) => expect(dayOf(flag, Date.parse("2026-03-01T12:00:00Z"))).toBe(day));
