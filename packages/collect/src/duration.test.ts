import { expect, test } from "vitest";
import { parseDuration } from "./duration.ts";

test.each<[string, number | undefined]>([
  ["250ms", 250],
  ["30s", 30_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["30d", 2_592_000_000],
  ["2w", 1_209_600_000],
  ["0s", undefined],
  ["", undefined],
  ["5", undefined],
  ["5 m", undefined],
  ["-5m", undefined],
  ["1.5h", undefined],
  ["5M", undefined],
])("%s", (text, expected) => expect(parseDuration(text)).toBe(expected));
