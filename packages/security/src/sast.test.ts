import { expect, test } from "vitest";
import { imageScan } from "./image-scan.ts";
import { sast } from "./sast.ts";

test("the reasons say what each severity costs", () => {
  expect(sast.score({ critical: 2, high: 1, medium: 5 }).reasons).toMatchObject([
    { field: "critical", value: 2, text: "2 critical findings leave 25 % of the score; each one halves it" },
    { field: "high", value: 1, text: "1 high finding leaves 84 % of the remaining score; every 4 of them halve it" },
    {
      field: "medium",
      value: 5,
      text: "5 medium findings leave 84 % of the remaining score; every 20 of them halve it",
    },
  ]);
});

test.each([
  { critical: 0, high: 1, medium: 0 },
  { critical: 0, high: 0, medium: 1 },
])("a finding costs more in the source than in an image: $high high, $medium medium", (raw) => {
  expect(sast.score(raw).score).toBeLessThan(imageScan.score(raw).score);
});
